import { didYouMean } from '@faxdeck/contract/closest'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { invalid } from '../answers/invalid.ts'
import { assertFits, type UploadSettings } from '../upload-limit.ts'
import type { Upload } from '../handler.ts'
import { Problem } from '../answers/problem.ts'
import { readForm, type SentForm } from './read-form.ts'

/** A multipart body: its text fields and its one file. */
export interface Form {
  fields: unknown
  file: Upload | undefined
}

const maxFields = 20

function unreadable(error: unknown): Problem {
  const reason = error instanceof Error ? error.message : 'It was incomplete.'
  return new Problem('bad_request', `The form cannot be read. ${reason}`)
}

/** The last part of the name as it was sent, printable and short; null when nothing is left. */
function cleanFileName(sent: string): string | null {
  const last = sent.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim()
  return clean === '' || clean === '.' || clean === '..' ? null : shortName(clean)
}

const longestName = 120

/** A long name loses its middle: its ending says what kind of file it is. */
function shortName(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= longestName) return name
  const ending = /\.[^.\s]{1,10}$/u.exec(name)?.[0] ?? ''
  return `${characters.slice(0, longestName - 1 - Array.from(ending).length).join('')}…${ending}`
}

const typedNames: readonly { type: string; ending: string; known: RegExp }[] = [
  { type: 'text/markdown', ending: 'md', known: /\.(md|markdown|mdown|mkdn?|txt|text)$/i },
  { type: 'text/csv', ending: 'csv', known: /\.(csv|tsv|tab|txt|text)$/i },
  { type: 'text/tab-separated-values', ending: 'tsv', known: /\.(csv|tsv|tab|txt|text)$/i },
]

/** The name with the ending of its type, where the type says more: what is kept of a file is its name. */
function nameByType(fileName: string | null, contentType: string): string | null {
  const typed = typedNames.find(({ type }) => type === contentType)
  if (!typed || typed.known.test(fileName ?? '')) return fileName
  return `${fileName ?? 'document'}.${typed.ending}`
}

function fieldsOf(sent: SentForm['fields']): Record<string, string> {
  if (sent.length > maxFields) throw new Problem('bad_request', 'The form has too many fields.')
  const [inherited] = sent.find(([name]) => name in Object.prototype) ?? []
  if (inherited !== undefined) throw new Problem('bad_request', `No form field may be named "${inherited}".`)
  const fields = Object.fromEntries(sent)
  if (Object.keys(fields).length === sent.length) return fields
  const twice = sent.map(([name]) => name).find((name, index, all) => all.indexOf(name) !== index)
  throw new Problem('bad_request', `The form field "${twice}" was sent twice.`)
}

const longestShown = 60

/** A field that is misspelled would otherwise send another fax than was asked for. @throws {Problem} `invalid` */
function assertKnown(sent: SentForm['fields'], { shape }: z.ZodObject): void {
  const known = Object.keys(shape)
  const unknown = sent.map(([name]) => name).filter((name) => name !== 'file' && !Object.hasOwn(shape, name))
  if (unknown.length === 0) return
  const issueOf = (name: string) => {
    const shown = name.slice(0, longestShown)
    return { path: [shown], message: `There is no such field.${didYouMean(shown, known, (each) => `"${each}"`)}` }
  }
  throw invalid(unknown.map(issueOf))
}

/** Fields that came as files, as `curl -F recipients=@numbers.csv` sends one. */
function textsOf(files: SentForm['files'], schema: z.ZodObject): SentForm['fields'] {
  const named = files.filter(({ name }) => name !== 'file' && Object.hasOwn(schema.shape, name))
  return named.map(({ name, bytes }) => [name, bytes.toString('utf8').replace(/^\ufeff/, '')] as const)
}

function fileOf(sent: SentForm['files'], schema: z.ZodObject, settings: UploadSettings): Upload | undefined {
  const files = sent.filter(({ name }) => name === 'file' || !Object.hasOwn(schema.shape, name))
  const [file] = files
  if (files.length > 1 || (file && file.name !== 'file')) throw new Problem('file_missing')
  if (!file) return undefined
  assertFits(file.bytes, settings)
  return { fileName: nameByType(cleanFileName(file.fileName), file.contentType), bytes: file.bytes }
}

function readParts(body: Buffer, contentType: string): SentForm {
  try {
    return readForm(body, contentType)
  } catch (error) {
    throw unreadable(error)
  }
}

/**
 * Reads a multipart body that has arrived.
 * @throws {Problem} too_large, file_missing, invalid, bad_request, or unsupported_document for another kind of body
 */
export function readUpload(
  { body, headers }: Pick<FastifyRequest, 'body' | 'headers'>,
  schema: z.ZodObject,
  settings: UploadSettings,
): Form {
  if (!(body instanceof Buffer)) {
    throw new Problem('unsupported_document', 'Send the document as multipart/form-data, in a field named "file".')
  }
  const sent = readParts(body, headers['content-type'] ?? '')
  const file = fileOf(sent.files, schema, settings)
  const fields = fieldsOf([...sent.fields, ...textsOf(sent.files, schema)])
  assertKnown(sent.fields, schema)
  const parsed = schema.safeParse(fields)
  if (!parsed.success) throw invalid(parsed.error.issues)
  return { fields: parsed.data, file }
}
