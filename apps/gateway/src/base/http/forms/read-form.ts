import { boundaryOf, FormSplitter, maxParts, type PartHead } from './split-form.ts'

/** A form as it arrived: its fields and its files, each in order. */
export interface SentForm {
  fields: (readonly [name: string, value: string])[]
  files: { name: string; fileName: string; contentType: string; bytes: Buffer }[]
}

function readMultipart(body: Buffer, boundary: string): SentForm {
  const splitter = new FormSplitter(boundary)
  const parts: { head: PartHead; pieces: Buffer[] }[] = []
  for (const piece of splitter.push(body)) {
    if ('head' in piece) parts.push({ head: piece.head, pieces: [] })
    else parts.at(-1)?.pieces.push(piece.content)
  }
  splitter.end()
  const { fields, files }: SentForm = { fields: [], files: [] }
  for (const { head, pieces } of parts) {
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
    if (head.fileName === undefined) fields.push([head.name, bytes.toString()])
    else files.push({ ...head, fileName: head.fileName, bytes })
  }
  return { fields, files }
}

/** Ampersands are counted first: taking a million fields apart would hold everybody else for seconds. */
function readAddressForm(body: Buffer): SentForm['fields'] {
  let count = 1
  for (let at = body.indexOf('&'); at !== -1; at = body.indexOf('&', at + 1)) {
    if (++count > maxParts + 1) throw new Error(`The form has more than ${maxParts} fields.`)
  }
  const fields = [...new URLSearchParams(body.toString())]
  if (fields.length > maxParts) throw new Error(`The form has more than ${maxParts} fields.`)
  return fields
}

/**
 * Reads a form of either kind from its bytes, in order of arrival. A body of another kind has no fields. Why the reader
 * is ours: decision 44.
 * @throws {Error} when it breaks off, or is not a form of that kind
 */
export function readForm(body: Buffer, contentType: string): SentForm {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    return { fields: readAddressForm(body), files: [] }
  }
  if (!/^multipart\/form-data\b/i.test(contentType)) return { fields: [], files: [] }
  return readMultipart(body, boundaryOf(contentType))
}
