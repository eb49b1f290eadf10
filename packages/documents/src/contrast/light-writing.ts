import type { Resolution } from '../raster/paper.ts'
import { block, type Corner, type Gray } from '../raster/gray-tiles.ts'

/** Pixels across and rows down: strokes that are drawn black all over, and the longest that letters have. */
const strokes: Record<Resolution, { narrow: [number, number]; long: [number, number] }> = {
  fine: { narrow: [12, 12], long: [120, 120] },
  standard: { narrow: [12, 6], long: [120, 60] },
}
/** Between light strokes and their ground lie so many pixels at most, and JPEG changes the ground so much beside them. */
const softPixels = 3
const softTones = 14
/** A block has light writing when so many of its pixels are drawn. */
const leastPixels = 5

/**
 * Draws what is light in a block, and has its ground on both sides, black on the page that is cleared: narrow strokes, and
 * the outlines of wide ones. Says whether there is any.
 */
export function drawLight(
  cleared: Uint8Array,
  gray: Gray,
  { left, top }: Corner,
  tone: number,
  resolution: Resolution,
): boolean {
  const { pixels, width, height } = gray
  const { narrow, long } = strokes[resolution]
  const from = (tone + 255) >> 1
  const row = { pixels, start: 0, step: 1, count: width, tone, from, long: long[0] }
  const column = { pixels, start: 0, step: width, count: height, tone, from, long: long[1] }
  let drawn = 0
  for (let y = top; y < Math.min(height, top + block.height); y++) {
    row.start = y * width
    for (let x = left; x < left + block.width; x++) {
      if (pixels[y * width + x]! < from) continue
      const across = runAt(row, x)
      if (!across) {
        // Paper: what follows in the row is a part of it.
        while (x + 1 < left + block.width && pixels[y * width + x + 1]! >= from) x++
        continue
      }
      column.start = x
      const down = runAt(column, y)
      if (!down || !(isStroke(across, x, narrow[0]) || isStroke(down, y, narrow[1]))) continue
      cleared[y * width + x] = 0
      drawn++
    }
  }
  return drawn >= leastPixels
}

/** A row or column of pixels, the tone of its ground, and from which tone on and up to which length runs are light. */
interface Track {
  pixels: Uint8Array
  start: number
  step: number
  count: number
  tone: number
  from: number
  long: number
}

interface Run {
  first: number
  end: number
  /** The ground lies on both sides of it. */
  isOnGround: boolean
}

/** The light pixels around a place of a track; undefined where they are longer than letters. */
function runAt(track: Track, place: number): Run | undefined {
  const { pixels, start, step, count, from, long } = track
  let [first, end] = [place, place + 1]
  while (end < count && pixels[start + end * step]! >= from) if (++end - place > long) return undefined
  while (first > 0 && pixels[start + (first - 1) * step]! >= from) if (end - --first > long) return undefined
  return { first, end, isOnGround: endsOnGround(track, first - 1, -1) && endsOnGround(track, end, 1) }
}

/** Whether the ground begins at a place, or behind soft pixels; the edges of dark letters only pass its tone. */
function endsOnGround({ pixels, start, step, count, tone }: Track, place: number, on: 1 | -1): boolean {
  for (let at = place, last = 0; Math.abs(at - place) <= softPixels; at += on) {
    if (at < 0 || at >= count) return false
    const pixel = pixels[start + at * step]!
    if (pixel < tone - softTones) return false
    if (pixel <= tone + softTones && last > 0) return true
    last = pixel <= tone + softTones ? 1 : 0
  }
  return false
}

/** Whether a pixel belongs to a narrow stroke, or to the edge of a wide one. */
function isStroke({ first, end, isOnGround }: Run, place: number, narrow: number): boolean {
  if (!isOnGround) return false
  const rim = narrow / 4
  return end - first <= narrow || place < first + rim || place >= end - rim
}
