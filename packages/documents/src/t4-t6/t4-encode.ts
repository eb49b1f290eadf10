import { type Bitmap, changeRow, findChanges } from '../raster/bitmap.ts'
import { BitWriter, putReferenceRow, putRunRow } from './ccitt-write.ts'

/** How a page is coded with ITU-T T.4. */
export interface T4Options {
  /** One-dimensional (MH; T.4, 4.1) or two-dimensional (MR; T.4, 4.2). */
  coding: 'MH' | 'MR'
  /**
   * At most so many rows minus one refer to the row above before one stands alone (T.4, 4.2.2): 2 at standard
   * resolution, 4 at fine, the default. What is damaged on the line ends there. Without meaning for MH.
   */
  k?: number
  /** Every end-of-line code ends on a whole byte. */
  aligned?: boolean
  /** Whether the return to control that ends a page on the line follows (T.4, 4.1.4); RFC 2301 wants none in a file. */
  returnToControl?: boolean
}

const fineK = 4
const endsOfReturn = 6

/**
 * Codes a bilevel page with ITU-T T.4 (G3), an end-of-line code before each row, in MR with the tag bit behind it
 * (T.4, 4.2.3): FillOrder 1, black is 1. No error is possible; the result takes at most 7 bits a pixel and 4 bytes a row.
 */
export function encodeT4(
  bitmap: Bitmap,
  { coding, k = fineK, aligned = false, returnToControl = false }: T4Options,
): Uint8Array {
  const { width, height } = bitmap
  const tagged = coding === 'MR'
  const out = new BitWriter()
  let above = changeRow(width)
  let row = changeRow(width)
  for (let y = 0; y < height; y++) {
    out.reserve(width + 64)
    findChanges(bitmap, y, row)
    const alone = !tagged || y % k === 0
    out.putEndOfLine(aligned)
    if (tagged) out.putBit(alone ? 1 : 0)
    if (alone) putRunRow(out, row, width)
    else putReferenceRow(out, above, row, width)
    const swap = above
    above = row
    row = swap
  }
  for (let end = 0; returnToControl && end < endsOfReturn; end++) {
    out.reserve(8)
    out.putEndOfLine(aligned)
    if (tagged) out.putBit(1)
  }
  return out.finish()
}
