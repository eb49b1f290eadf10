import type { Bitmap } from '../raster/bitmap.ts'
import { type Gray, tile, tileArea } from '../raster/gray-tiles.ts'
import type { Resolution } from '../raster/paper.ts'
import { inkContrast } from './shade-writing.ts'
import { around, type Place } from '../raster/page-notes.ts'
import { findLost, type Source, withThoseAround } from './lost-contrast.ts'
import { Marks } from './strokes.ts'
import { partsOf } from './tile-parts.ts'

/** Pixels to each side, and rows, in which tones are compared. */
type Around = Record<Resolution, { across: number; down: number }>

/** Strokes are seen against what is so near … */
export const widely: Around = { fine: { across: 6, down: 6 }, standard: { across: 6, down: 3 } }
/** … or, where a third tone is as near as the ground, as paper beside a narrow bar is, against what touches them. */
export const narrowly: Around = { fine: { across: 2, down: 2 }, standard: { across: 2, down: 1 } }
/** Tones nearly as far apart as those of writing. */
const leastStep = inkContrast - 8

/** Columns and rows of a tile with those around it, and the lowest and highest tones near their pixels. */
const [columns, rows] = [tile.width + 12, tile.height + 12]
const lows = new Uint8Array(columns * rows)
const highs = new Uint8Array(columns * rows)

/**
 * Draws a tile again so that nothing in it is erased: where tones lie apart, a pixel is black that is nearer to the
 * darkest than to the lightest one around it. The rest of the tile stays as it is, so that writing on a ground that was
 * filled or cleared has a rim.
 */
export function bringBack(bitmap: Bitmap, gray: Gray, index: number, { across, down }: Around[Resolution]): void {
  const { left, top, right, bottom } = tileArea(gray, bitmap.rowWords, index)
  copyAround(gray, left - across, top - down, bottom + down)
  spread(1, 2 * across + 1)
  spread(columns, 2 * down + 1)
  for (let y = top; y < bottom; y++) {
    const at = y * bitmap.rowWords + (left >> 5)
    let word = bitmap.words[at]!
    for (let x = left; x < right; x++) {
      const place = (y - top) * columns + (x - left)
      const [low, high] = [lows[place]!, highs[place]!]
      if (high - low < leastStep) continue
      const bit = 1 << (31 - (x - left))
      word = 2 * gray.pixels[y * gray.width + x]! < low + high ? word | bit : word & ~bit
    }
    bitmap.words[at] = word
  }
}

/** Takes the tones of a tile and around it, those at the edge of the page once more beyond it. */
function copyAround({ pixels, width, height }: Gray, left: number, top: number, bottom: number): void {
  for (let y = top; y < bottom; y++) {
    const from = Math.min(height - 1, Math.max(0, y)) * width
    const at = (y - top) * columns
    for (let x = 0; x < columns; x++) lows[at + x] = pixels[from + Math.min(width - 1, Math.max(0, left + x))]!
  }
  highs.set(lows)
}

/** Gives each place the lowest and highest tone of `count` places from it on, by spans of twice the length each time. */
function spread(step: number, count: number): void {
  for (let span = 1; span < count;) {
    const next = Math.min(span, count - span)
    for (let at = 0; at + next * step < lows.length; at++) {
      const other = at + next * step
      if (lows[other]! < lows[at]!) lows[at] = lows[other]!
      if (highs[other]! > highs[at]!) highs[at] = highs[other]!
    }
    span += next
  }
}

/** Brings back the writing that a page lost, with `among` in those tiles, and names the places where it is lost still. */
export function bringBackLost(bitmap: Bitmap, source: Source, among?: ReadonlySet<number>): Place[] {
  const marks = new Marks(source, source.resolution)
  const lost = findLost(bitmap, source, among, marks)
  if (lost.size === 0) return []
  for (const index of lost) bringBack(bitmap, source.gray, index, widely[source.resolution])
  const left = findLost(bitmap, source, withThoseAround(lost, source.counts), marks)
  if (left.size === 0) return []
  for (const index of left) bringBack(bitmap, source.gray, index, narrowly[source.resolution])
  return placesOf(findLost(bitmap, source, left, marks), source)
}

/** Boxes around the tiles that lie beside each other. */
function placesOf(tiles: ReadonlySet<number>, { gray, counts }: Source): Place[] {
  const isLost = (index: number) => tiles.has(index)
  return [...partsOf(counts, isLost, isLost)].map((part) =>
    around(
      part.map((index) => {
        const { left, top, right, bottom } = tileArea(gray, counts.across, index)
        return { left, top, width: right - left, height: bottom - top }
      }),
    ),
  )
}
