import { changeRow, findChanges } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'
import { BitWriter, putReferenceRow, putSameRow } from './ccitt-write.ts'

/**
 * Codes a bilevel page with ITU-T T.6 (G4, MMR) and ends it with EOFB (T.6, 2.4.1.1): FillOrder 1, black is 1.
 * The row above the first is taken as white (T.6, 2.2.1). No error is possible; the result takes at most
 * 7 bits a pixel.
 */
export function encodeT6(bitmap: Bitmap): Uint8Array {
  const { width, height, rowWords, words } = bitmap
  const out = new BitWriter()
  let above = changeRow(width)
  let row = changeRow(width)
  let changes = 0
  for (let y = 0; y < height; y++) {
    const rowStart = y * rowWords
    out.reserve(width + 64)
    if (y > 0 && sameRow(words, rowStart, rowWords)) {
      putSameRow(out, changes)
      continue
    }
    changes = findChanges(bitmap, y, row)
    putReferenceRow(out, above, row, width)
    const swap = above
    above = row
    row = swap
  }
  out.reserve(8)
  out.putEndOfLine()
  out.putEndOfLine()
  return out.finish()
}

function sameRow(words: Int32Array, rowStart: number, rowWords: number): boolean {
  const above = rowStart - rowWords
  for (let index = 0; index < rowWords; index++) {
    if (words[rowStart + index] !== words[above + index]) return false
  }
  return true
}
