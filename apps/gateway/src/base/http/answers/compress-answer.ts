import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

/** Characters; below this it travels in a few packets as it is. */
const long = 8_192
/** RFC 9110 § 12.5.3: with a weight of nought it is not wanted. */
const takesGzip = /(^|[,\s])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i

/**
 * A hook `onSend`: long JSON goes out compressed to whoever takes it. Settings come to a fifth, lists to an eighth, which
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
