import type { Bitmap } from '../raster/bitmap.ts'
import { tileArea } from './grey-tiles.ts'
import type { Grey } from './grey-tiles.ts'

/** Pixels to each side that a stroke reaches at most, half as many rows at standard resolution. */
export interface Reach {
  across: number
  down: number
}

/** What differs less than this from its ground is no ink. */
const leastContrast = 32
/**
 * Between ground and ink, a pixel so far from the ground is ink: on white paper what the threshold is between white and
 * black, on grounds of their own, where strokes are as soft inside as outside, nearly half.
 */
const inkShare = { paper: 0.31, shade: 0.45 }
const holeShare = 0.5
/** Strokes on a ground of their own are often scanned: a pixel is sharpened by this share of its step from those around. */
const sharpening = 0.4

/** Lowest, highest and mean tone near a pixel. */
const near = { lowest: 0, highest: 0, mean: 0 }

/**
 * Draws a tile anew, dark on a ground of the given tone: what is ink is told by the darkest pixel near it, so that
 * light grey letters are whole and the soft edges of black ones are not. Tones that `shades` marks are never ink.
 */
export function drawInk(
  bitmap: Bitmap,
  grey: Grey,
  index: number,
  tone: number,
  reach: Reach,
  shades?: Uint8Array,
): void {
  const { pixels, width } = grey
  const { left, top, right, bottom } = tileArea(grey, bitmap.rowWords, index)
  const onPaper = tone === 255
  const share = onPaper ? inkShare.paper : inkShare.shade
  const uncertain = tone - leastContrast * share
  for (let y = top; y < bottom; y++) {
    let word = 0
    for (let x = left; x < right; x++) {
      const pixel = pixels[y * width + x]!
      word <<= 1
      if (pixel > uncertain || shades?.[pixel] === 1) continue
      look(grey, x, y, reach)
      if (tone - near.lowest < leastContrast || shades?.[near.lowest] === 1) continue
      const sharpened = onPaper ? pixel : pixel + sharpening * (pixel - near.mean)
      if (sharpened < tone - share * (tone - near.lowest) || isLine(grey, x, y, reach)) word |= 1
    }
    bitmap.words[y * bitmap.rowWords + (left >> 5)] = word
  }
}

/** Draws a tile anew, light on a black ground of the given tone. */
export function drawHoles(bitmap: Bitmap, grey: Grey, index: number, tone: number, reach: Reach): void {
  const { pixels, width } = grey
  const { left, top, right, bottom } = tileArea(grey, bitmap.rowWords, index)
  for (let y = top; y < bottom; y++) {
    let word = 0
    for (let x = left; x < right; x++) {
      const pixel = pixels[y * width + x]!
      word = (word << 1) | 1
      if (pixel <= tone + leastContrast * holeShare) continue
      look(grey, x, y, reach)
      if (near.highest - tone >= leastContrast && pixel > tone + holeShare * (near.highest - tone)) word &= ~1
    }
    bitmap.words[y * bitmap.rowWords + (left >> 5)] = word
  }
}

/** Makes the pixels of a tile whose tones are marked in `shades` black or white, and leaves the others. */
export function replaceShades(bitmap: Bitmap, grey: Grey, index: number, shades: Uint8Array, black: boolean): void {
  const { left, top, right, bottom } = tileArea(grey, bitmap.rowWords, index)
  for (let y = top; y < bottom; y++) {
    const at = y * bitmap.rowWords + (left >> 5)
    let marked = 0
    for (let x = left; x < right; x++) marked = (marked << 1) | shades[grey.pixels[y * grey.width + x]!]!
    bitmap.words[at] = black ? bitmap.words[at]! | marked : bitmap.words[at]! & ~marked
  }
}

/** Whether a pixel is on a thin line: lighter on both sides. So a pale line goes on where it meets a black one. */
function isLine({ pixels, width, height }: Grey, x: number, y: number, { across, down }: Reach): boolean {
  if (x < across || y < down || x + across >= width || y + down >= height) return false
  const at = y * width + x
  const lighter = pixels[at]! + leastContrast
  const [above, below] = [pixels[at - down * width]!, pixels[at + down * width]!]
  return (above >= lighter && below >= lighter) || (pixels[at - across]! >= lighter && pixels[at + across]! >= lighter)
}

/** Looks around a pixel and leaves what it sees in `near`: one object, for this is done for millions of pixels. */
function look({ pixels, width, height }: Grey, x: number, y: number, { across, down }: Reach): void {
  const [left, right] = [x > across ? x - across : 0, x + across < width ? x + across : width - 1]
  const [top, bottom] = [y > down ? y - down : 0, y + down < height ? y + down : height - 1]
  let [lowest, highest, sum] = [255, 0, 0]
  for (let row = top; row <= bottom; row++) {
    for (let at = row * width + left; at <= row * width + right; at++) {
      const pixel = pixels[at]!
      if (pixel < lowest) lowest = pixel
      if (pixel > highest) highest = pixel
      sum += pixel
    }
  }
  near.lowest = lowest
  near.highest = highest
  near.mean = sum / ((right - left + 1) * (bottom - top + 1))
}
