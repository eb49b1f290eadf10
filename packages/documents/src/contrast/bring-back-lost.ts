import type { Bitmap } from '../raster/bitmap.ts'
import { bringBack, narrowly, widely } from './bring-back.ts'
import { tileArea } from '../raster/gray-tiles.ts'
import { around, type Place } from '../raster/page-notes.ts'
import { findLost, type Source, withThoseAround } from './lost-contrast.ts'
import { Marks } from './strokes.ts'
import { partsOf } from './tile-parts.ts'

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
