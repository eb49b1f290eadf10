/** A form as it arrived: its fields and its files, each in order. */
export interface SentForm {
  fields: (readonly [name: string, value: string])[]
  files: { name: string; fileName: string; contentType: string; bytes: Buffer }[]
}

export const mostParts = 500
export const longestHead = 16 * 1024
/** No line of a content should begin like a delimiter (RFC 2046, 5.1.1). */
export const mostAlike = 1000
export const lineEnd = '\r\n'
export const headEnd = '\r\n\r\n'

/** Parameters of a header such as `form-data; name="to"`, by name in lower case (RFC 9110, 5.6.6). */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = header.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]*))/g)
  return new Map(
    [...found].map(([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      quoted?.replace(/\\(["\\])/g, '$1') ?? plain,
    ]),
  )
}

/** The value of `filename*`: `UTF-8''Br%C3%A4u.pdf` (RFC 8187); as it is when it is not written so. */
function decodeExtended(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? []
  try {
    return encoded === undefined ? value : decodeURIComponent(encoded)
  } catch {
    return value
  }
}

/** The bytes between the delimiters of a form, in order (RFC 2046, 5.1.1). */
function* partsOf(body: Buffer, boundary: string): Generator<Buffer> {
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`)
  const begins = body.indexOf(delimiter.subarray(lineEnd.length)) === 0
  let from: number | undefined
  let alike = 0
  // The first delimiter needs no line before it.
  for (let at = begins ? -lineEnd.length : body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at)) {
    if (alike > mostAlike) throw new Error('The form has too many lines that look like delimiters.')
    const before = at
    at += delimiter.length
    const [line] = /^(?:--|[ \t]*\r\n)/.exec(body.toString('latin1', at, at + 100)) ?? []
    if (line === undefined) {
      alike++
      continue
    }
    if (from !== undefined) yield body.subarray(from, Math.max(from, before))
    if (line === '--') return
    from = at + line.length
    // An empty part ends with the line that it begins with.
    at = from - lineEnd.length
  }
  throw new Error('The form is incomplete.')
}

function headersOf(head: string): ReadonlyMap<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split(lineEnd)
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/** What the head of a part says; a field has no file name. */
export interface PartHead {
  name: string
  fileName: string | undefined
  contentType: string
}

/** Undefined for a part without a name: nobody could ask for it. */
export function readPartHead(head: string): PartHead | undefined {
  const headers = headersOf(head)
  const parameters = parametersOf(headers.get('content-disposition') ?? '')
  const name = parameters.get('name')
  if (name === undefined) return undefined
  const [contentType = 'text/plain'] = (headers.get('content-type') ?? 'text/plain').toLowerCase().split(/\s*;/)
  const fileName = parameters.get('filename') ?? decodeExtended(parameters.get('filename*'))
  if (fileName === undefined && contentType !== 'application/octet-stream')
    return { name, fileName: undefined, contentType }
  return { name, fileName: fileName?.split(/[/\\]/).at(-1) ?? '', contentType }
}

/** The boundary of a multipart form, in its Content-Type. @throws {Error} when it names none */
export function boundaryOf(contentType: string): string {
  const boundary = parametersOf(contentType).get('boundary')
  if (!boundary) throw new Error('The form has no boundary.')
  return boundary
}

function readMultipart(body: Buffer, boundary: string): SentForm {
  const { fields, files }: SentForm = { fields: [], files: [] }
  let count = 0
  for (const part of partsOf(body, boundary)) {
    if (++count > mostParts) throw new Error(`The form has more than ${mostParts} parts.`)
    const end = part.subarray(0, longestHead).indexOf(headEnd)
    if (end < 0) throw new Error('A part has no header, or one that is too long.')
    const head = readPartHead(part.toString('utf8', 0, end))
    if (!head) continue
    const bytes = part.subarray(end + headEnd.length)
    if (head.fileName === undefined) fields.push([head.name, bytes.toString()])
    else files.push({ ...head, fileName: head.fileName, bytes })
  }
  return { fields, files }
}

/** Ampersands are counted first: taking a million fields apart would hold everybody else for seconds. */
function readAddressForm(body: Buffer): SentForm['fields'] {
  let count = 1
  for (let at = body.indexOf('&'); at !== -1; at = body.indexOf('&', at + 1)) {
    if (++count > mostParts + 1) throw new Error(`The form has more than ${mostParts} fields.`)
  }
  const fields = [...new URLSearchParams(body.toString())]
  if (fields.length > mostParts) throw new Error(`The form has more than ${mostParts} fields.`)
  return fields
}

/**
 * Reads a form of either kind from its bytes, in order of arrival: at once, because all of it is there. A body of
 * another kind has no fields. With busboy, which reads streams, a tenth fewer faxes were delivered a second, and callers
 * waited longer; the tests compare with it.
 * @throws {Error} when it breaks off or is none
 */
export function readForm(body: Buffer, contentType: string): SentForm {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    return { fields: readAddressForm(body), files: [] }
  }
  if (!/^multipart\/form-data\b/i.test(contentType)) return { fields: [], files: [] }
  return readMultipart(body, boundaryOf(contentType))
}
