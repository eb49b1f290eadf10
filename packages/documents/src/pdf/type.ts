import { tile } from '../raster/gray-tiles.ts'
import { kindOf, kinds, objectsOn } from './page-objects.ts'
import type { Pdfium } from './pdfium.ts'

/** A pixel that type covers so far belongs to it: nearly half. */
const coveredTone = 140

/** Whether a page may have type, which is drawn twice at standard resolution. */
export const mayHaveType = (pdfium: Pdfium, page: number): boolean =>
  objectsOn(pdfium, page).some((object) => [kinds.text, kinds.form].includes(kindOf(pdfium, object)))

/**
 * Closes the gaps in letters that were fitted to the pixels, where a bowl just misses its stem: from the same page with
 * soft edges (`soft`) come the pixels that are nearly half covered. Only on white paper, because on dark ground they
 * would make light letters thin. Both have `width` × `height` pixels, `width` a multiple of 32.
 */
export function closeGaps(hard: Uint8Array, soft: Uint8Array, width: number, height: number): void {
  const [hardWords, softWords] = [wordsOf(hard), wordsOf(soft)]
  for (let top = 0; top < height; top += tile.height) {
    const bottom = Math.min(height, top + tile.height)
    for (let left = 0; left < width; left += tile.width) {
      if (!differs(hardWords, softWords, width, left, top, bottom) || !isPaper(hard, width, left, top, bottom)) continue
      for (let y = top; y < bottom; y++) {
        for (let at = y * width + left; at < y * width + left + tile.width; at++) {
          if (soft[at]! < coveredTone && soft[at]! < hard[at]!) hard[at] = soft[at]!
        }
      }
    }
  }
}

/** Four pixels at a step; where the pages begin is a multiple of four. */
const wordsOf = ({ buffer, byteOffset, length }: Uint8Array) => new Int32Array(buffer, byteOffset, length >> 2)

/** Whether a tile is not the same on both: nearly all of a page is white. */
function differs(hard: Int32Array, soft: Int32Array, width: number, left: number, top: number, bottom: number) {
  for (let y = top; y < bottom; y++) {
    const start = (y * width + left) >> 2
    for (let at = start; at < start + tile.width / 4; at++) if (hard[at] !== soft[at]) return true
  }
  return false
}

/** Whether most of a tile is white. */
function isPaper(pixels: Uint8Array, width: number, left: number, top: number, bottom: number): boolean {
  let white = 0
  for (let y = top; y < bottom; y++) {
    for (let at = y * width + left; at < y * width + left + tile.width; at++) if (pixels[at] === 255) white++
  }
  return 2 * white > tile.width * (bottom - top)
}
