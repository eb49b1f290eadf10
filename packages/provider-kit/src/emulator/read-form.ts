import type { WebhookRequest } from '../provider.ts'

/** A form as it arrived: its fields and its files, each in order. */
export type Form = Pick<WebhookRequest, 'fields' | 'files'>

type File = Form['files'][number]

/** A quoted parameter of a header: `name="file"`. */
function parameterOf(header: string, name: string): string | undefined {
  return new RegExp(`[; ]${name}="([^"]*)"`, 'i').exec(header)?.[1]
}

function addPart(part: Buffer, fields: [string, string][], files: File[]): void {
  const end = part.indexOf('\r\n\r\n')
  if (end < 0) throw new TypeError('A part of the form has no header.')
  const header = part.subarray(0, end).toString('utf8')
  const bytes = part.subarray(end + 4)
  const name = parameterOf(header, 'name')
  if (name === undefined) throw new TypeError('A part of the form has no name.')
  const fileName = parameterOf(header, 'filename')
  if (fileName === undefined) fields.push([name, bytes.toString('utf8')])
  else files.push({ name, fileName, contentType: /^content-type: *(\S+)/im.exec(header)?.[1] ?? '', bytes })
}

/**
 * Reads a form, multipart (RFC 7578) or URL-encoded, as strictly as a provider that wants it right.
 * @throws {TypeError} when it is neither, or broken
 */
export function readForm(body: Buffer, contentType: string): Form {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    return { fields: [...new URLSearchParams(body.toString('utf8'))], files: [] }
  }
  const boundary = /^multipart\/form-data\b.*[; ]boundary="?([^";]+)/i.exec(contentType)?.[1]
  if (boundary === undefined) throw new TypeError('The body is no form.')
  const mark = Buffer.from(`\r\n--${boundary}`)
  const text = Buffer.concat([Buffer.from('\r\n'), body])
  const fields: [string, string][] = []
  const files: File[] = []
  let at = text.indexOf(mark)
  for (;;) {
    const next = text.indexOf(mark, at + mark.length)
    if (at < 0) throw new TypeError('The form is incomplete.')
    if (
      text
        .subarray(at + mark.length)
        .subarray(0, 2)
        .toString() === '--'
    )
      return { fields, files }
    if (next < 0) throw new TypeError('The form is incomplete.')
    addPart(text.subarray(at + mark.length + 2, next), fields, files)
    at = next
  }
}
