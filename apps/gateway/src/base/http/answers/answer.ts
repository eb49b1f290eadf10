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
  return tags.includes(tag) || tags.includes('*')
}

/** Sends a file, or 304 when the caller has it. */
export function sendFile(
  kind: FileReply,
  file: FileAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (file.etag !== undefined) {
    const tag = `"${file.etag.replaceAll('"', '')}"`
    void reply.header('etag', tag)
    if (isKnown(request, tag)) {
      if (file.content instanceof Readable) file.content.destroy()
      return reply.status(304).send()
    }
  }
  return reply
    .type(contentTypes[file.kind ?? kind])
    .header('content-disposition', disposition(kind, file.fileName))
    .send(file.content)
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
