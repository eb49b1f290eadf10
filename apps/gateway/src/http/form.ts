import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { DoorSettings } from './doors.ts'
import { invalid } from './invalid.ts'
import { tooLarge, uploadLimit } from './guards.ts'
import type { Upload } from './handler.ts'
import { Problem } from './problem.ts'

/** A multipart body: its text fields and its one file. */
export interface Form {
  fields: unknown
  file: Upload | undefined
}

interface Draft {
  fields: Record<string, unknown>
  file: Upload | undefined
}

/** The last part of the name as it was sent, printable and short; null when nothing is left. */
function cleanFileName(sent: string | undefined): string | null {
  const last = (sent ?? '').split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim()
  return clean === '' || clean === '.' || clean === '..' ? null : Array.from(clean).slice(0, 120).join('')
}

/** Stops at the limit rather than at the end: who sends too much is told at once. */
async function readFile(part: MultipartFile, settings: DoorSettings): Promise<Upload> {
  const chunks: Buffer[] = []
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    if (part.file.truncated) throw tooLarge(settings)
  }
  return { fileName: cleanFileName(part.filename), bytes: Buffer.concat(chunks) }
}

async function readPart(part: Multipart, form: Draft, settings: DoorSettings) {
  if (part.type === 'file') {
    if (part.fieldname !== 'file' || form.file) throw new Problem('file_missing')
    form.file = await readFile(part, settings)
    return
  }
  if (Object.hasOwn(form.fields, part.fieldname)) {
    throw new Problem('bad_request', `The form field "${part.fieldname}" was sent twice.`)
  }
  form.fields[part.fieldname] = part.value
}

/** The parser throws its own limits by code, and plain errors for bytes that are no form. */
function formProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Problem || code.startsWith('FST_')) return error
  return new Problem('bad_request', 'The form cannot be read: it is cut short or not multipart/form-data.')
}

/**
 * Reads a multipart body into memory, bounded by the upload limit while it arrives.
 * @throws {Problem} too_large, file_missing, invalid, bad_request, or unsupported_document for another kind of body
 */
export async function readForm(request: FastifyRequest, schema: z.ZodObject, settings: DoorSettings): Promise<Form> {
  if (!request.isMultipart()) {
    throw new Problem('unsupported_document', 'Send the document as multipart/form-data, in a field named "file".')
  }
  const form: Draft = { fields: {}, file: undefined }
  const limits = { fileSize: uploadLimit(settings), files: 1, fields: 20, parts: 21, fieldSize: 10_000 }
  try {
    for await (const part of request.parts({ limits })) await readPart(part, form, settings)
  } catch (error) {
    // What still arrives is read and forgotten, or the sender might never see the answer.
    request.raw.resume()
    throw formProblem(error)
  }
  const parsed = schema.safeParse(form.fields)
  if (!parsed.success) throw invalid(parsed.error.issues)
  return { fields: parsed.data, file: form.file }
}
