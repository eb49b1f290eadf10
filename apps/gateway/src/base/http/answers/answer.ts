import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FileReply } from '@faxdeck/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer } from '../handler.ts'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const contentTypes: Record<FileReply | 'tiff', string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  csv: 'text/csv; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  zip: 'application/zip',
  tiff: 'image/tiff',
  document: 'application/pdf',
}

/** `attachment; filename="a.pdf"; filename*=UTF-8''…` as RFC 6266 wants it; pictures are shown in place. */
function disposition(kind: FileReply, name: string | undefined): string {
  const manner = kind === 'png' ? 'inline' : 'attachment'
  if (name === undefined) return manner
  const plain = name.replace(/[^\w.-]/g, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${manner}; filename="${plain}"; filename*=UTF-8''${exact}`
}

function isKnown(request: FastifyRequest, tag: string): boolean {
  const tags = (request.headers['if-none-match'] ?? '').split(',').map((item) => item.trim().replace(/^W\//, ''))
  return tags.includes(tag.replace(/^W\//, '')) || tags.includes('*')
}

/** What names exactly these bytes. */
const tagOf = (content: string | Uint8Array) => `"${createHash('sha256').update(content).digest('base64url')}"`

/** Names what is sent; true when the caller has it, and is told so with 304. */
function isUnchanged(tag: string, request: FastifyRequest, reply: FastifyReply): boolean {
  void reply.header('etag', tag)
  if (!isKnown(request, tag)) return false
  void reply.status(304)
  return true
}

/** Sends something that is the same for everybody, compressed or not, or 304 when the caller has it. */
export const sendTagged = (content: string | Buffer, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  isUnchanged(`W/${tagOf(content)}`, request, reply) ? reply.send() : reply.send(content)

/**
 * The part of a document that a download goes on with; all of it for several parts at once, and for the rest of another
 * document (RFC 9110, 14.2 and 13.1.5). Undefined when there is no such part.
 */
function partOf(content: Uint8Array, tag: string, { headers }: FastifyRequest, reply: FastifyReply) {
  const { length } = content
  void reply.header('accept-ranges', 'bytes')
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  const isOther = headers['if-range'] !== undefined && headers['if-range'] !== tag
  if (isOther || from + to === '' || (from !== '' && to !== '' && Number(to) < Number(from))) return content
  const start = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const end = from === '' || to === '' ? length : Math.min(length, Number(to) + 1)
  const isThere = start < end
  void reply.status(isThere ? 206 : 416)
  void reply.header('content-range', isThere ? `bytes ${start}-${end - 1}/${length}` : `bytes */${length}`)
  return isThere ? content.subarray(start, end) : undefined
}

/** What of a file is sent: the whole, a part that was asked for, or nothing to a caller who has it. */
function shareOf(kind: FileReply, { content, etag }: FileAnswer, request: FastifyRequest, reply: FastifyReply) {
  if (etag !== undefined && isUnchanged(`"${etag.replaceAll('"', '')}"`, request, reply)) return undefined
  if (kind === 'png' || content instanceof Readable) return content
  const tag = tagOf(content)
  return isUnchanged(tag, request, reply) ? undefined : partOf(content, tag, request, reply)
}

/** Sends a file, a part of it, or 304 when the caller has it. */
export function sendFile(
  kind: FileReply,
  file: FileAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const content = shareOf(kind, file, request, reply)
  if (content === undefined) {
    if (file.content instanceof Readable) file.content.destroy()
    return reply.send()
  }
  return reply
    .type(contentTypes[file.kind ?? kind])
    .header('content-disposition', disposition(kind, file.fileName))
    .send(content)
}

const compress = promisify(gzip)

/** Characters; below this it travels in a few packets as it is. */
const long = 8_192
/** RFC 9110 § 12.5.3: with a weight of nought it is not wanted. */
const takesGzip = /(^|[,\s])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i

/**
 * A hook `onSend`: long JSON goes out compressed to callers that accept it. Settings come to a fifth, lists to an eighth, which
 * a phone on a slow line is glad of. What a caller may guess at by the length (BREACH) is nothing here: these answers
 * go to a key, which no page of another origin can make a browser send.
 */
export async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < long) return payload
  void reply.header('vary', 'accept-encoding')
  if (!takesGzip.test(request.headers['accept-encoding'] ?? '')) return payload
  const compressed = await compress(payload)
  void reply.header('content-encoding', 'gzip')
  return compressed
}
