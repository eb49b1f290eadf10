import { type Bitmap, changeRow } from '../raster/bitmap.ts'
import { codeWords } from './ccitt-write.ts'
import { type KernelMemory, makeRoom, startKernel } from '../raster/kernel.ts'

/** What t6-rows.wat exports; all but width and counts are offsets into its memory. */
interface T6Rows {
  memory: KernelMemory
  begin: (width: number, rowBytes: number, above: number, row: number) => void
  code: (before: number, rows: number, modes: number, white: number, black: number, out: number) => number
  end: (code: number, out: number) => number
}

/** Bytes of pixels that are coded at a time, so that little memory is held for the largest page. */
const atOnce = 128 * 1024
/** Memory of WebAssembly never shrinks: after an image of monstrous width it is let go. */
const maxRetainedBytes = 16 * 1024 * 1024
/** Where the tables stand in memory; what changes comes behind them. */
const tables = { modes: 0, white: 64, black: 512, end: 960 }

let started: T6Rows | undefined

/** Every change of every page goes through this: as WebAssembly it takes half the time. */
function startT6Rows(): T6Rows {
  const rows = startKernel(new URL('./t6-rows.wasm', import.meta.url)) as T6Rows
  const { buffer } = rows.memory
  new Int32Array(buffer, tables.modes).set(codeWords.modes)
  new Int32Array(buffer, tables.white).set(codeWords.white)
  new Int32Array(buffer, tables.black).set(codeWords.black)
  return rows
}

/**
 * Codes a bilevel page with ITU-T T.6 (G4, MMR) and ends it with EOFB (T.6, 2.4.1.1): FillOrder 1, black is 1.
 * The row above the first is taken as white (T.6, 2.2.1). No error is possible; the result takes at most
 * 7 bits a pixel.
 */
export function encodeT6({ width, height, rowWords, words }: Bitmap): Uint8Array {
  const { memory, begin, code, end } = (started ??= startT6Rows())
  const rows = Math.max(1, Math.min(height, Math.floor(atOnce / (4 * rowWords))))
  const white = changeRow(width)
  const rowAt = tables.end + white.byteLength
  const pixelsAt = rowAt + white.byteLength
  const outAt = pixelsAt + 4 * rowWords * (rows + 1)
  makeRoom(memory, outAt + rows * (width + 64))
  new Int32Array(memory.buffer, tables.end, white.length).set(white)
  // Behind the row before them, by which they are coded.
  const pixels = new Int32Array(memory.buffer, pixelsAt, rowWords * (rows + 1)).fill(0)
  const coded = new CodedWords()
  begin(width, 4 * rowWords, tables.end, rowAt)
  let out = outAt
  for (let y = 0; y < height; y += rows) {
    coded.add(memory.buffer, outAt, out)
    const some = Math.min(rows, height - y)
    const before = y === 0 ? 0 : 1
    pixels.set(words.subarray((y - before) * rowWords, (y + some) * rowWords), (1 - before) * rowWords)
    out = code(pixelsAt, some, tables.modes, tables.white, tables.black, outAt)
  }
  const ended = Math.ceil(end(codeWords.endOfLine, out) / 8)
  coded.add(memory.buffer, outAt, ended)
  if (memory.buffer.byteLength > maxRetainedBytes) started = undefined
  return coded.bytes()
}

/** Words of 32 bits, collected. */
class CodedWords {
  #parts: Uint8Array[] = []
  #length = 0

  /** Takes a copy of the bytes `from` (included) to `to` (excluded), which may end within a word. */
  add(memory: ArrayBuffer, from: number, to: number): void {
    this.#parts.push(new Uint8Array(memory, from, (to - from + 3) & ~3).slice())
    this.#length += to - from
  }

  /** All bytes, the highest of each word first. */
  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts).swap32().subarray(0, this.#length))
  }
}
