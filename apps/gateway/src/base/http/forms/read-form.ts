const maxParts = 500
const longestHead = 16 * 1024
/** No line of a content should begin like a delimiter (RFC 2046, 5.1.1). */
const maxAlike = 1000
const lineEnd = '\r\n'
const headEnd = '\r\n\r\n'

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
function readPartHead(head: string): PartHead | undefined {
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

/** The boundary of a multipart form, in its Content-Type. @throws {Error} when there is none */
export function boundaryOf(contentType: string): string {
  const boundary = parametersOf(contentType).get('boundary')
  if (!boundary) throw new Error('The form has no boundary.')
  return boundary
}

/** What a multipart form consists of, in order: heads of parts, each followed by the pieces of its content. */
type FormPiece = { head: PartHead } | { content: Buffer }

/** After a delimiter: the end of the form, or the line break before the next part. */
const afterDelimiter = /^(?:--|[ \t]*\r\n)/
const longestAfter = 100

/**
 * Takes a multipart form apart while it arrives (RFC 2046, 5.1.1). It keeps no more than a
 * head or a delimiter, however large the form is.
 */
export class FormSplitter {
  readonly #delimiter: Buffer
  // The first delimiter needs no line before it.
  #rest: Buffer = Buffer.from(lineEnd)
  #state: 'preamble' | 'head' | 'content' | 'skipped' | 'done' = 'preamble'
  #parts = 0
  #alike = 0

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`${lineEnd}--${boundary}`)
  }

  /** @throws {Error} when it is not a form, or has too many parts */
  *push(chunk: Buffer): Generator<FormPiece, void> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      if (this.#state === 'done') this.#rest = Buffer.alloc(0)
      const before = this.#rest
      yield* this.#state === 'head' ? this.#readHead() : this.#readContent()
      if (this.#rest === before || this.#rest.length === 0) return
    }
  }

  /** @throws {Error} when the form has not ended */
  end(): void {
    if (this.#state !== 'done') throw new Error('The form is incomplete.')
  }

  *#readHead(): Generator<FormPiece, void> {
    const end = this.#rest.indexOf(headEnd)
    if (end > longestHead || (end < 0 && this.#rest.length > longestHead)) {
      throw new Error('A part has no header, or one that is too long.')
    }
    if (end < 0) return
    const text = this.#rest.subarray(0, end)
    if (text.includes(this.#delimiter)) throw new Error('A part has no header, or one that is too long.')
    const head = readPartHead(text.toString())
    this.#state = head ? 'content' : 'skipped'
    this.#rest = this.#rest.subarray(end + headEnd.length)
    if (head) yield { head }
  }

  *#readContent(): Generator<FormPiece, void> {
    const at = this.#rest.indexOf(this.#delimiter)
    if (at < 0) return yield* this.#pass(this.#rest.length - this.#delimiter.length + 1)
    const line = this.#rest.toString('latin1', at + this.#delimiter.length, at + this.#delimiter.length + longestAfter)
    const [match] = afterDelimiter.exec(line) ?? []
    if (match !== undefined) return yield* this.#endPart(at, at + this.#delimiter.length + match.length, match)
    if (line.length < longestAfter && /^(?:-?|[ \t]*\r?)$/.test(line)) return yield* this.#pass(at)
    if (++this.#alike > maxAlike) throw new Error('The form has too many lines that look like delimiters.')
    yield* this.#pass(at + this.#delimiter.length)
  }

  *#endPart(at: number, next: number, line: string): Generator<FormPiece, void> {
    yield* this.#pass(at)
    this.#rest = this.#rest.subarray(next - at)
    this.#state = line === '--' ? 'done' : 'head'
    if (this.#state === 'head' && ++this.#parts > maxParts) throw new Error(`The form has more than ${maxParts} parts.`)
  }

  /** The bytes up to a place are content, or nobody's. */
  *#pass(length: number): Generator<FormPiece, void> {
    if (length <= 0) return
    const content = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    if (this.#state === 'content') yield { content }
  }
}

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
