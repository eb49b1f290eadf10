import { Readable } from 'node:stream'

type Piece = Buffer | string

async function* resumed(first: IteratorResult<Piece, void>, rest: AsyncIterable<Piece>) {
  if (!first.done) yield first.value
  yield* rest
}

/**
 * The pieces of a long answer, read as fast as the caller takes them. The first is there already: what fails until then
 * is answered in a sentence, and what fails later cuts the answer off.
 */
export async function begunStream(pieces: AsyncGenerator<Piece, void>): Promise<Readable> {
  const stream = Readable.from(resumed(await pieces.next(), pieces), { objectMode: false })
  // Who hangs up leaves nothing open.
  stream.once('close', () => void pieces.return(undefined))
  return stream
}
