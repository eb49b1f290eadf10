import type { Bitmap } from './bitmap.ts'
import { tile, tileArea } from './grey-tiles.ts'
import type { Grey } from './grey-tiles.ts'
import type { Resolution } from './paper.ts'
import { inkContrast } from './shade-writing.ts'

/** Pixels to each side, and rows, in which tones are compared: strokes are seen against what is so near. */
const around: Record<Resolution, { across: number; down: number }> = {
  fine: { across: 6, down: 6 },
  standard: { across: 6, down: 3 },
}
/** Tones nearly as far apart as those of writing. */
const leastStep = inkContrast - 8

const room = (tile.width + 12) * (tile.height + 12)
const lows = new Uint8Array(room)
const highs = new Uint8Array(room)

/**
 * Draws a tile anew so that nothing in it is erased: where tones lie apart, a pixel is black that is nearer to the
 * darkest than to the lightest one around it. The rest of the tile stays as it is, so that writing on a ground that was
 * filled or cleared has a rim.
 */
export function bringBack(bitmap: Bitmap, grey: Grey, index: number, resolution: Resolution): void {
  const { left, top, right, bottom } = tileArea(grey, bitmap.rowWords, index)
  const { across, down } = around[resolution]
  const [first, last] = [Math.max(0, top - down), Math.min(grey.height - 1, bottom - 1 + down)]
  spanRows(grey, left, right, first, last, across)
  for (let y = top; y < bottom; y++) {
    const at = y * bitmap.rowWords + (left >> 5)
    let word = bitmap.words[at]!
    const [above, below] = [Math.max(first, y - down), Math.min(last, y + down)]
    for (let x = left; x < right; x++) {
      let [low, high] = [255, 0]
      for (let row = above; row <= below; row++) {
        const place = (row - first) * tile.width + (x - left)
        if (lows[place]! < low) low = lows[place]!
        if (highs[place]! > high) high = highs[place]!
      }
      if (high - low < leastStep) continue
      const bit = 1 << (31 - (x - left))
      word = 2 * grey.pixels[y * grey.width + x]! < low + high ? word | bit : word & ~bit
    }
    bitmap.words[at] = word
  }
}

/** The lowest and highest tone around each pixel within its row. */
function spanRows({ pixels, width }: Grey, left: number, right: number, first: number, last: number, across: number) {
  for (let y = first; y <= last; y++) {
    for (let x = left; x < right; x++) {
      let [low, high] = [255, 0]
      const end = y * width + Math.min(width - 1, x + across)
      for (let at = y * width + Math.max(0, x - across); at <= end; at++) {
        const tone = pixels[at]!
        if (tone < low) low = tone
        if (tone > high) high = tone
      }
      const place = (y - first) * tile.width + (x - left)
      lows[place] = low
      highs[place] = high
    }
  }
}
