import { type Bitmap, changeRow, createBitmap } from '../raster/bitmap.ts'
import { BitReader, drawRow, takeReferenceRow } from './ccitt-read.ts'

/** What a decoder found: rows after the last whole one are white. */
export interface DecodedPage {
  bitmap: Bitmap
  /** Whole rows decoded, at most the height asked for. */
  rows: number
  /** Damaged rows that were drawn as a copy of the row above them. */
  repaired: number
  /** Rows that the data ends before. */
  missing: number
  /** The data says itself that the page ends before them (EOFB of T.6, 2.4.1.1). */
  isEnded?: boolean
}

/**
 * Decodes a page of ITU-T T.6 (G4, MMR) data with FillOrder 1, black as 1. Total: any bytes give a page, in time and
 * memory proportional to `width × height`; `rows` is less than `height` when the data ends early (EOFB) or is damaged.
 * The uncompressed-mode extension of T.6, 2.2.4 is not decoded: T.30 offers no way to negotiate it for fax pages.
 */
export function decodeT6(bytes: Uint8Array, width: number, height: number): DecodedPage {
  const bitmap = createBitmap(width, height)
  const input = new BitReader(bytes)
  let [above, row] = [changeRow(width), changeRow(width)]
  for (let y = 0; y < height; y++) {
    const count = takeReferenceRow(input, above, row, width)
    if (count < 0 || input.exhausted) {
      return { bitmap, rows: y, repaired: 0, missing: height - y, isEnded: input.takeEndOfLine() }
    }
    drawRow(bitmap, y, row, count)
    ;[above, row] = [row, above]
  }
  return { bitmap, rows: height, repaired: 0, missing: 0 }
}
