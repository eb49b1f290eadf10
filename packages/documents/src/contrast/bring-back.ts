import type { Bitmap } from '../raster/bitmap.ts'
import { type Gray, tile, tileArea } from '../raster/gray-tiles.ts'
import { LowestTones, type Reach } from '../raster/lowest-near.ts'
import type { Resolution } from '../raster/paper.ts'
import { inkContrast } from './shade-writing.ts'
import { around, type Place } from '../raster/page-notes.ts'
import { findLost, type Source, withThoseAround } from './lost-contrast.ts'
import { Marks } from './strokes.ts'
import { partsOf } from './tile-parts.ts'

/** Strokes are seen against what is so near … */
const widely: Record<Resolution, Reach> = { fine: { across: 6, down: 6 }, standard: { across: 6, down: 3 } }
/** … or, where a third tone is as near as the ground, as paper beside a narrow bar is, against what touches them. */
const narrowly: typeof widely = { fine: { across: 2, down: 2 }, standard: { across: 2, down: 1 } }
/** Tones nearly as far apart as those of writing. */
const leastStep = inkContrast - 8

/**
 * Draws tiles, in their order, again so that nothing in them is erased: where tones lie apart, a pixel is black that is
 * nearer to the darkest than to the lightest one around it. The rest of a tile stays as it is, so that writing on a
 * ground that was filled or cleared has a rim.
 */
function bringBack(bitmap: Bitmap, gray: Gray, tiles: ReadonlySet<number>, reach: Reach): void {
  const lowest = new LowestTones(gray, reach)
  const lacking = new Uint8Array(gray.pixels.length)
  for (let at = 0; at < lacking.length; at++) lacking[at] = 255 - gray.pixels[at]!
  const inverted = new LowestTones({ ...gray, pixels: lacking }, reach)
  let [row, lows, lacks]: [number, Uint8Array, Uint8Array] = [-1, new Uint8Array(), new Uint8Array()]
  for (const index of tiles) {
    const { left, top, right, bottom } = tileArea(gray, bitmap.rowWords, index)
    if (top !== row)
      [row, lows, lacks] = [top, lowest.band(top / tile.height).slice(), inverted.band(top / tile.height)]
    for (let y = top; y < bottom; y++) {
      const at = y * bitmap.rowWords + (left >> 5)
      let word = bitmap.words[at]!
      for (let x = left; x < right; x++) {
        const place = (y - top) * lowest.stride + x
        const [low, high] = [lows[place]!, 255 - lacks[place]!]
        if (high - low < leastStep) continue
        const bit = 1 << (31 - (x - left))
        word = 2 * gray.pixels[y * gray.width + x]! < low + high ? word | bit : word & ~bit
      }
      bitmap.words[at] = word
    }
  }
}

/** Brings back the writing that a page lost, with `among` in those tiles, and names the places where it is lost still. */
export function bringBackLost(bitmap: Bitmap, source: Source, among?: ReadonlySet<number>): Place[] {
  const marks = new Marks(source, source.resolution)
  const lost = findLost(bitmap, source, among, marks)
  if (lost.size === 0) return []
  bringBack(bitmap, source.gray, lost, widely[source.resolution])
  const left = findLost(bitmap, source, withThoseAround(lost, source.counts), marks)
  if (left.size === 0) return []
  bringBack(bitmap, source.gray, left, narrowly[source.resolution])
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
