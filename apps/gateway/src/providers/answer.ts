import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { FetchRefused } from './fetch-refused.ts'

type Answer = Dispatcher.ResponseData

/** So little is read at once: most answers are a line of JSON. */
const shortBytes = 64 * 1024
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

/** A body that ends in an error when it grows beyond the limit. */
function bounded(body: Readable, limit: number): ReadableStream {
  let seen = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      seen += chunk.byteLength
      if (seen > limit) controller.error(new FetchRefused(`The answer is larger than ${limit} bytes.`))
      else controller.enqueue(chunk)
    },
  })
  return (Readable.toWeb(body) as ReadableStream<Uint8Array>).pipeThrough(counter)
}

const broken = (error: unknown) => new ReadableStream({ start: (controller) => controller.error(error) })

/** The body of an answer. One that breaks off does so for whoever reads it: the answer had come. */
async function bodyOf(
  { body, headers, statusCode }: Answer,
  limit: number,
): Promise<ConstructorParameters<typeof Response>[0]> {
  if (bodiless.includes(statusCode)) return body.dump().then(() => null)
  const { 'content-length': length, 'content-encoding': encoding = '' } = headers
  if (encoding === '' && Number(length ?? Infinity) <= Math.min(shortBytes, limit)) {
    return body.bytes().catch(broken)
  }
  return bounded(unpacked(body, String(encoding)), limit)
}

/** An answer as the built-in Response, unpacked and bounded. */
export async function answerOf(answer: Answer, limit: number): Promise<Response> {
  const headers = Object.entries(answer.headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  const { statusCode: status, statusText } = answer
  return new Response(await bodyOf(answer, limit), { status, statusText, headers })
}
