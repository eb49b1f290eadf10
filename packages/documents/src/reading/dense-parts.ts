import { type Bitmap, bitsIn } from '../raster/bitmap.ts'

/** Rows of a page, `bottom` not included. */
interface Band {
  top: number
  bottom: number
}

/** Codes are at least so high on a fine page, 4 mm; lines of writing seldom are. */
const leastRows = 32
/** Ink in the columns of a code, in shares: writing has less, and shadows and bars of a table more. */
const ink = { least: 0.2, max: 0.8 }
/** So many bars that cross a column, no further apart than this, may be a code that lies on its side. */
const leastBars = 5
const widestGap = 64
/** Around what was found, and a quarter of it more: the rest of the code, and the white that it needs. */
const leastMargin = 64

/** A stretch of ink in a column of 32 pixels. */
interface Stretch extends Band {
  pixels: number
  bars: number
}

/** Whether a stretch, in which bars were counted or not, is as dense as a code. */
function isDense({ top, bottom, pixels, bars }: Stretch, hasBars: boolean): boolean {
  const share = pixels / (32 * (bottom - top))
  return share >= ink.least && share <= ink.max && (hasBars ? bars >= leastBars : bottom - top >= leastRows)
}

/**
 * The rows of a fine page in which a code may stand: where ink follows ink for longer than a line of writing is high, and
 * where bars lie across. It sees every code that ZXing reads, and pictures and large type; a page of writing has none.
 */
export function findDenseRows({ words, rowWords, height }: Bitmap, rows = height): Band | undefined {
  const found: Band = { top: rows, bottom: 0 }
  const consider = (stretch: Stretch, hasBars: boolean) => {
    if (!isDense(stretch, hasBars)) return
    found.top = Math.min(found.top, stretch.top)
    found.bottom = Math.max(found.bottom, stretch.bottom)
  }
  for (let column = 0; column < rowWords; column++) {
    const solid: Stretch = { top: 0, bottom: 0, pixels: 0, bars: 0 }
    const barred: Stretch = { top: 0, bottom: 0, pixels: 0, bars: 0 }
    for (let y = 0, at = column; y < rows; y++, at += rowWords) {
      const word = words[at]!
      if (word === 0) continue
      const pixels = bitsIn(word)
      if (solid.bottom < y) {
        consider(solid, false)
        Object.assign(solid, { top: y, pixels: 0 })
      }
      solid.bottom = y + 1
      solid.pixels += pixels
      if (word !== -1) continue
      if (y - barred.bottom > widestGap) {
        consider(barred, true)
        Object.assign(barred, { top: y, pixels: 0, bars: 0 })
      }
      if (barred.bottom < y || barred.bars === 0) barred.bars++
      barred.bottom = y + 1
      barred.pixels += 32
    }
    consider(solid, false)
    consider(barred, true)
  }
  if (found.bottom === 0) return undefined
  const margin = leastMargin + ((found.bottom - found.top) >> 2)
  return { top: Math.max(0, found.top - margin), bottom: Math.min(rows, found.bottom + margin) }
}
