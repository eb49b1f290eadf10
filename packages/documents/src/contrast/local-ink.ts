import type { Bitmap } from '../raster/bitmap.ts'
import { middleTone } from './find-grounds.ts'
import { block, blockAt, type Gray, tile, tileArea, type TileCounts } from '../raster/gray-tiles.ts'
import type { LowestTones, Reach } from '../raster/lowest-near.ts'

/** A page that is drawn, what it is drawn of, and how far its strokes reach. */
export interface Drawing {
  bitmap: Bitmap
  gray: Gray
  counts: TileCounts
  /** Pixels to each side that a stroke reaches at most, half as many rows at standard resolution. */
  reach: Reach
  /** Of the same gray and reach. */
  lowest: LowestTones
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

/**
 * Draws a tile again, dark on a ground of the given tone: the darkest pixel near a pixel decides whether it is ink, so that
 * light gray letters are whole and the soft edges of black ones are not. Tones that `shades` marks are never ink.
 */
export function drawInk(drawing: Drawing, index: number, tone: number, shades?: Uint8Array): void {
  const { bitmap, gray, counts, reach, lowest: lowestTones } = drawing
  const { pixels, width } = gray
  const { left, top, right, bottom } = tileArea(gray, bitmap.rowWords, index)
  let band: Uint8Array | undefined
  const onPaper = tone === 255
  const share = onPaper ? inkShare.paper : inkShare.shade
  const sharpness = onPaper ? 0 : sharpening
  const uncertain = tone - leastContrast * share
  // Ink even with black near it and white all around.
  const certain = shades ? -1 : Math.min(tone - leastContrast, (tone * (1 - share)) / (1 + sharpness))
  const isInk = (x: number, y: number, pixel: number) => {
    if (pixel < certain) return true
    band ??= lowestTones.band(top / tile.height)
    const lowest = band[(y - top) * lowestTones.stride + x]!
    if (tone - lowest < leastContrast || shades?.[lowest] === 1) return false
    const limit = tone - share * (tone - lowest)
    const sharpenedBy = (mean: number) => pixel + sharpness * (pixel - mean)
    // The mean lies between the darkest pixel and white: mostly that is enough to know.
    if (sharpenedBy(lowest) < limit) return true
    if (sharpenedBy(255) < limit && sharpenedBy(meanNear(gray, x, y, reach)) < limit) return true
    return isLine(gray, x, y, reach)
  }
  for (let y = top; y < bottom; y++) {
    let word = 0
    for (let start = left; start < right; start += block.width) {
      if (counts.lowest[blockAt(counts, start, y)]! > uncertain) continue
      for (let x = start; x < start + block.width; x++) {
        const pixel = pixels[y * width + x]!
        if (pixel > uncertain || shades?.[pixel] === 1) continue
        if (isInk(x, y, pixel)) word |= 1 << (31 - (x - left))
      }
    }
    bitmap.words[y * bitmap.rowWords + (left >> 5)] = word
  }
}

/** Draws a tile again, light on a black ground of the given tone. */
export function drawHoles({ bitmap, gray, counts, reach }: Drawing, index: number, tone: number): void {
  const { pixels, width } = gray
  const { left, top, right, bottom } = tileArea(gray, bitmap.rowWords, index)
  const uncertain = tone + leastContrast * holeShare
  for (let y = top; y < bottom; y++) {
    let word = -1
    for (let start = left; start < right; start += block.width) {
      if (255 - counts.lack[blockAt(counts, start, y)]! <= uncertain) continue
      for (let x = start; x < start + block.width; x++) {
        const pixel = pixels[y * width + x]!
        if (pixel <= uncertain) continue
        const highest = highestNear(gray, x, y, reach)
        if (highest - tone >= leastContrast && pixel > tone + holeShare * (highest - tone)) {
          word &= ~(1 << (31 - (x - left)))
        }
      }
    }
    bitmap.words[y * bitmap.rowWords + (left >> 5)] = word
  }
}

/** Tones that are not black where there are to be no dots. */
export const lightTones = Uint8Array.from({ length: 256 }, (_, tone) => (tone >= middleTone ? 1 : 0))

/** Makes the pixels of a tile whose tones are marked in `shades` black or white, and leaves the others. */
export function replaceShades(bitmap: Bitmap, gray: Gray, index: number, shades: Uint8Array, black: boolean): void {
  const { left, top, right, bottom } = tileArea(gray, bitmap.rowWords, index)
  for (let y = top; y < bottom; y++) {
    const at = y * bitmap.rowWords + (left >> 5)
    let marked = 0
    for (let x = left; x < right; x++) marked = (marked << 1) | shades[gray.pixels[y * gray.width + x]!]!
    bitmap.words[at] = black ? bitmap.words[at]! | marked : bitmap.words[at]! & ~marked
  }
}

/** Whether a pixel is on a thin line: lighter on both sides. So a pale line goes on where it meets a black one. */
function isLine({ pixels, width, height }: Gray, x: number, y: number, { across, down }: Reach): boolean {
  if (x < across || y < down || x + across >= width || y + down >= height) return false
  const at = y * width + x
  const lighter = pixels[at]! + leastContrast
  const [above, below] = [pixels[at - down * width]!, pixels[at + down * width]!]
  return (above >= lighter && below >= lighter) || (pixels[at - across]! >= lighter && pixels[at + across]! >= lighter)
}

/** The pixels near one: columns and rows, ends included. */
function nearby({ width, height }: Gray, x: number, y: number, { across, down }: Reach) {
  return {
    left: x > across ? x - across : 0,
    right: x + across < width ? x + across : width - 1,
    top: y > down ? y - down : 0,
    bottom: y + down < height ? y + down : height - 1,
  }
}

function highestNear(gray: Gray, x: number, y: number, reach: Reach): number {
  const { left, right, top, bottom } = nearby(gray, x, y, reach)
  const { pixels, width } = gray
  let highest = 0
  for (let row = top; row <= bottom; row++) {
    for (let at = row * width + left; at <= row * width + right; at++) {
      const pixel = pixels[at]!
      if (pixel > highest) highest = pixel
    }
  }
  return highest
}

function meanNear(gray: Gray, x: number, y: number, reach: Reach): number {
  const { left, right, top, bottom } = nearby(gray, x, y, reach)
  const { pixels, width } = gray
  let sum = 0
  for (let row = top; row <= bottom; row++) {
    for (let at = row * width + left; at <= row * width + right; at++) sum += pixels[at]!
  }
  return sum / ((right - left + 1) * (bottom - top + 1))
}
