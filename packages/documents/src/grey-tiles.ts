import { createBitmap } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'

/** Pages are judged in tiles, one word of the bitmap wide. */
export const tile = { width: 32, height: 16 }
export const tilePixels = tile.width * tile.height

/** From this tone on a pixel is paper. */
export const paperTone = 240

/** Grey pixels of a page: a byte each, 0 is black, `width` a multiple of 32, the array's offset a multiple of 4. */
export interface Grey {
  pixels: Uint8Array
  width: number
  height: number
}

/** What the pixels of each tile are, row by row: darker than paper, ink, and of a middle tone (64–191). */
export interface TileCounts {
  across: number
  down: number
  toned: Uint16Array
  ink: Uint16Array
  middle: Uint16Array
}

/** The pixels of a tile: columns `left` to `right`, rows `top` to `bottom`, ends excluded. */
export function tileArea({ width, height }: Grey, across: number, index: number) {
  const left = (index % across) * tile.width
  const top = Math.floor(index / across) * tile.height
  const [right, bottom] = [Math.min(width, left + tile.width), Math.min(height, top + tile.height)]
  return { left, top, right, bottom, size: (right - left) * (bottom - top) }
}

/** Calls `see` with the tiles left, right, above and below a tile; -1 beyond the page. */
export function eachBeside(
  { across, down }: Pick<TileCounts, 'across' | 'down'>,
  index: number,
  see: (beside: number) => void,
): void {
  const column = index % across
  see(column > 0 ? index - 1 : -1)
  see(column < across - 1 ? index + 1 : -1)
  see(index - across)
  see(index + across < across * down ? index + across : -1)
}

/** Makes every pixel darker than `level` black, and counts what there is in each tile. White rows cost almost nothing. */
export function thresholdTiles(grey: Grey, level: number): { bitmap: Bitmap; counts: TileCounts } {
  const { pixels, width, height } = grey
  const bitmap = createBitmap(width, height)
  const [across, down] = [width / tile.width, Math.ceil(height / tile.height)]
  const make = () => new Uint16Array(across * down)
  const counts = { across, down, toned: make(), ink: make(), middle: make() }
  const quads = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2)
  const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length)
  const white = Buffer.alloc(width, 255)
  for (let y = 0; y < height; y++) {
    if (bytes.compare(white, 0, width, y * width, (y + 1) * width) === 0) continue
    const first = Math.floor(y / tile.height) * across
    for (let column = 0; column < across; column++) {
      const start = (y * width + column * tile.width) >> 2
      let all = -1
      for (let index = start; index < start + 8; index++) all &= quads[index]!
      if (all !== -1) bitmap.words[y * across + column] = thresholdWord(quads, start, level, counts, first + column)
    }
  }
  return { bitmap, counts }
}

/** The top bits of four bytes, counted. */
const countTops = (tops: number) => Math.imul(tops >>> 7, 0x01010101) >>> 24

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** 32 pixels as one word of the bitmap: four at a time, without branches on data that is hard to predict. */
function thresholdWord(quads: Int32Array, start: number, level: number, counts: TileCounts, at: number): number {
  // Adding this to the low 7 bits of a byte sets its top bit where they reach the low 7 bits of the level.
  const reach = Math.imul(256 - level, 0x01010101)
  const reachPaper = Math.imul(256 - paperTone, 0x01010101)
  let [word, toned, middle] = [0, 0, 0]
  for (let index = start; index < start + 8; index++) {
    const quad = quads[index]!
    const low = quad & 0x7f7f7f7f
    const ink = ~((low + reach) & quad) & 0x80808080
    // Gathers the top bits of the four bytes, the first byte's highest.
    word = (word << 4) | ((Math.imul(ink >>> 7, 0x08040201) >>> 24) & 15)
    toned += countTops(~((low + reachPaper) & quad) & 0x80808080)
    // A middle tone has different top bits.
    middle += countTops((quad ^ (quad << 1)) & 0x80808080)
  }
  counts.ink[at]! += countBits(word)
  counts.toned[at]! += toned
  counts.middle[at]! += middle
  return word
}
