import { createBitmap } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'
import { diffuseTiles, tile } from './diffuse.ts'
import type { Resolution } from './paper.ts'

/** A pixel darker than this is ink. Rows twice as high halve the grey of thin level strokes, so less grey is enough. */
export const inkLevel: Record<Resolution, number> = { fine: 176, standard: 190 }

/** Share of middle tones (64–191) from which on a tile shows a picture or a shade: more than soft edges of letters have. */
const greyShare = 0.35
/** A tile beside a picture belongs to it when less of it than this is paper … */
const paperShare = 0.5
/** … and still has the picture's edge in it when this much of it is neither paper nor ink. */
const edgeShare = 0.1
/** Lighter than this is paper. */
const paperTone = 240
const inkTone = 24

const tilePixels = tile.width * tile.height

/** Grey pixels of a page: a byte each, 0 is black, and the same memory as words of four. */
interface Grey {
  pixels: Uint8Array
  quads: Int32Array
  width: number
  height: number
}

/** Tiles of a page, row by row, and which of them show a picture. */
interface Tiles {
  across: number
  down: number
  pictures: Uint8Array
}

/**
 * Makes a bilevel page of grey `pixels` (`width` × `height` bytes, 0 is black, `width` a multiple of 32, the array's
 * offset a multiple of 4): black where a pixel is darker than `level`, pictures dithered. White areas cost almost
 * nothing.
 */
export function toBilevel(pixels: Uint8Array, width: number, height: number, level: number): Bitmap {
  const bitmap = createBitmap(width, height)
  const quads = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2)
  const grey = { pixels, quads, width, height }
  const [across, down] = [width / tile.width, Math.ceil(height / tile.height)]
  const tiles = { across, down, pictures: new Uint8Array(across * down) }
  thresholdPage(bitmap, grey, level, tiles)
  if (tiles.pictures.includes(1)) {
    spreadPictures(grey, tiles)
    diffuseTiles(bitmap, pixels, (column, row) => tiles.pictures[row * across + column] === 1)
  }
  return bitmap
}

function thresholdPage(bitmap: Bitmap, grey: Grey, level: number, { across, down, pictures }: Tiles): void {
  const bytes = Buffer.from(grey.pixels.buffer, grey.pixels.byteOffset, grey.pixels.length)
  const white = Buffer.alloc(grey.width, 255)
  const greys = new Uint16Array(across)
  for (let row = 0; row < down; row++) {
    const end = Math.min(grey.height, (row + 1) * tile.height)
    greys.fill(0)
    for (let y = row * tile.height; y < end; y++) {
      if (bytes.compare(white, 0, grey.width, y * grey.width, (y + 1) * grey.width) === 0) continue
      for (let column = 0; column < across; column++) greys[column]! += thresholdWord(bitmap, grey, column, y, level)
    }
    for (let column = 0; column < across; column++) {
      if (greys[column]! >= greyShare * tilePixels) pictures[row * across + column] = 1
    }
  }
}

/**
 * Thresholds 32 pixels of a row into one word of the bitmap and returns how many of them are of a middle tone. Works
 * on four pixels at a time, without branches on data that is hard to predict.
 */
function thresholdWord(bitmap: Bitmap, { quads, width }: Grey, column: number, y: number, level: number): number {
  const start = (y * width + column * tile.width) >> 2
  const at = y * bitmap.rowWords + column
  // Adding this to the low 7 bits of a byte sets its top bit where they reach the low 7 bits of the level.
  const reach = Math.imul((level > 128 ? 256 : 128) - level, 0x01010101)
  let all = -1
  for (let index = start; index < start + 8; index++) all &= quads[index]!
  let word = 0
  let middle = 0
  for (let index = start; all !== -1 && index < start + 8; index++) {
    const quad = quads[index]!
    const reached = ((quad & 0x7f7f7f7f) + reach) | 0
    const ink = ~(level > 128 ? reached & quad : reached | quad) & 0x80808080
    // Gathers the top bits of the four bytes, the first byte's highest.
    word = (word << 4) | ((Math.imul(ink >>> 7, 0x08040201) >>> 24) & 15)
    // A middle tone has different top bits: 64–191.
    middle += Math.imul(((quad ^ (quad << 1)) & 0x80808080) >>> 7, 0x01010101) >>> 24
  }
  bitmap.words[at] = word
  return middle
}

/** The shares of a tile that are paper, and that are neither paper nor ink. */
function sharesOf(grey: Grey, column: number, row: number): { paper: number; between: number } {
  const top = row * tile.height
  const end = Math.min(grey.height, top + tile.height)
  let paper = 0
  let ink = 0
  for (let y = top; y < end; y++) {
    const start = y * grey.width + column * tile.width
    for (let x = start; x < start + tile.width; x++) {
      if (grey.pixels[x]! >= paperTone) paper++
      else if (grey.pixels[x]! < inkTone) ink++
    }
  }
  const total = tile.width * (end - top)
  return { paper: paper / total, between: (total - paper - ink) / total }
}

/** Lets pictures take in what is beside them: tiles without much paper, and the tiles that hold their edges. */
function spreadPictures(grey: Grey, { across, down, pictures }: Tiles): void {
  const waiting = [...pictures.keys()].filter((index) => pictures[index] === 1)
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const column = index % across
    const beside = [column > 0 ? index - 1 : -1, column < across - 1 ? index + 1 : -1]
    for (const next of [...beside, index - across, index + across]) {
      if (next < 0 || next >= across * down || pictures[next] === 1) continue
      const { paper, between } = sharesOf(grey, next % across, Math.floor(next / across))
      if (paper >= paperShare && between < edgeShare) continue
      pictures[next] = 1
      // An edge tile may also hold letters; beyond it lies paper.
      if (paper < paperShare) waiting.push(next)
    }
  }
}
