import { changeRow, createBitmap } from '../raster/bitmap.ts'
import { BitReader, drawRow, takeReferenceRow, takeRunRow } from './ccitt-read.ts'
import type { DecodedPage } from './t6-decode.ts'

/** How the rows of a T.4 page are coded: `MH` and `MR` with end-of-line codes, `RLE` without, rows on whole bytes (TIFF 6.0, compression 2). */
export type T4Coding = 'MH' | 'MR' | 'RLE'

/**
 * Decodes a page of ITU-T T.4 (G3) data with FillOrder 1, black as 1. Total: any bytes give a page, in time and memory
 * proportional to the data and to `width × height`. A damaged row repeats the one above it, as fax machines do, and
 * decoding goes on at the next end of line (T.4, 4.2.2 Note); `rows` counts the rows that were sound, `repaired` those, and
 * `missing` those that the data ends before, unless it says that the page ends there.
 */
export function decodeT4(bytes: Uint8Array, width: number, height: number, coding: T4Coding): DecodedPage {
  const bitmap = createBitmap(width, height)
  const input = new BitReader(bytes)
  let [above, row] = [changeRow(width), changeRow(width)]
  let countAbove = 0
  let rows = 0
  let repaired = 0
  let missing = 0
  // After damage only a row that needs none above it can be believed (T.4, 4.2.1.2, parameter K).
  let sound = true
  for (let y = 0; y < height; y++) {
    const start = startRow(input, coding)
    if (start === 'end') break
    let count = -1
    if (start === 'alone') count = takeRunRow(input, row, width)
    else if (sound) count = takeReferenceRow(input, above, row, width)
    sound = count >= 0 && !input.exhausted
    if (sound) {
      rows++
      ;[above, row] = [row, above]
      countAbove = count
      if (coding === 'RLE') input.align()
    } else if (findEndOfLine(input, coding)) {
      repaired++
    } else {
      missing = height - y
      break
    }
    drawRow(bitmap, y, above, countAbove)
  }
  return { bitmap, rows, repaired, missing }
}

/** Reads up to the first code of a row: `alone` is coded one-dimensionally, `below` refers to the row above. */
function startRow(input: BitReader, coding: T4Coding): 'alone' | 'below' | 'end' {
  if (coding === 'RLE' || input.exhausted) return 'alone'
  let tag = 1
  let marks = 0
  while (input.takeEndOfLine()) {
    // Two in a row begin the return to control that ends the page (T.4, 4.1.4).
    if (++marks === 2) return 'end'
    if (coding === 'MR') tag = input.takeBit()
  }
  return tag === 1 ? 'alone' : 'below'
}

/** Moves to the next end-of-line code without taking it; false at the end of the data. */
function findEndOfLine(input: BitReader, coding: T4Coding): boolean {
  if (coding === 'RLE') return false
  while (!input.exhausted) {
    if (input.atEndOfLine) return true
    input.takeBit()
  }
  return false
}
