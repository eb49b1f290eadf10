import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'

/** A request that the gateway does not make, or an answer it does not take. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
  readonly code: string = 'FETCH_REFUSED'
}

/** An answer that is larger than anybody may give us. */
class AnswerTooLarge extends FetchRefused {
  override readonly code = 'ANSWER_TOO_LARGE'
}

type Answer = Dispatcher.ResponseData

/** Answers without a body, whatever their head says (Fetch, "null body status"). */
const bodiless = [204, 205, 304]

const unpacking: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function unpacked(body: Readable, encoding: string): Readable {
  const unpack = unpacking[encoding.trim().toLowerCase()]
  return unpack ? pipeline(body, unpack(), () => undefined) : body
}

/**
 * All of a body. @throws {AnswerTooLarge} as soon as it has grown beyond the limit
 * @param cut answers its beginning then, and when it breaks off
 */
function bytesOf(body: Readable, limit: number, cut: boolean): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let seen = 0
    const give = () => resolve(Buffer.concat(chunks).subarray(0, limit))
    body.on('data', (chunk: Buffer) => {
      seen += chunk.byteLength
      if (cut || seen <= limit) chunks.push(chunk)
      if (seen > limit) body.destroy(new AnswerTooLarge(`The answer is larger than ${limit} bytes.`))
    })
    body.on('end', give)
    body.on('error', cut ? give : reject)
    body.on('close', () => reject(new Error('The response was cut off.')))
  })
}

const broken = (error: unknown) => new ReadableStream({ start: (controller) => controller.error(error) })

/**
 * An answer as the built-in Response, unpacked, bounded, and read to its end: every caller reads it whole. One whose
 * body breaks off says so to its reader, who knows by then that the answer had come.
 */
export async function answerOf({ body, ...head }: Answer, limit: number, cut = false): Promise<Response> {
  const { statusCode: status, statusText } = head
  const headers = Object.entries(head.headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  const encoding = String(head.headers['content-encoding'] ?? '')
  const bytes = await bytesOf(unpacked(body, encoding), limit, cut).catch(broken)
  return new Response(bodiless.includes(status) ? null : bytes, { status, statusText, headers })
}
