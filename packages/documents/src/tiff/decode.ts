import { type Bitmap, createBitmap } from '../raster/bitmap.ts'
import { decodeT4 } from '../t4-t6/t4-decode.ts'
import { type DecodedPage, decodeT6 } from '../t4-t6/t6-decode.ts'
import type { TiffPage } from './read.ts'
import { compression, photometric, t4Option } from './tags.ts'

const reversed = Uint8Array.from({ length: 256 }, (_, byte) => {
  let mirror = 0
  for (let bit = 0; bit < 8; bit++) mirror |= ((byte >> bit) & 1) << (7 - bit)
  return mirror
})

/** A copy of `bytes` with the bits of each byte in reverse order: FillOrder 2 to FillOrder 1 and back. */
function reverseBits(bytes: Uint8Array): Uint8Array {
  const turned = new Uint8Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) turned[index] = reversed[bytes[index]!]!
  return turned
}

/** The data of one strip with FillOrder 1: a view of the file where it can be, otherwise a copy. */
export function stripData(file: Uint8Array, page: TiffPage, strip: number): Uint8Array {
  const { offset, length } = page.strips[strip] ?? { offset: 0, length: 0 }
  const data = file.subarray(offset, offset + length)
  return page.fillOrder === 2 ? reverseBits(data) : data
}

/**
 * Decodes a page of CCITT data (`isCcitt`), all strips, black as 1 whatever the photometric interpretation. Total: any
 * bytes give a page; `rows` counts the rows that were sound.
 */
export function decodeTiffPage(file: Uint8Array, page: TiffPage): DecodedPage {
  const { width, height, rowsPerStrip } = page
  const bitmap = createBitmap(width, height)
  let [rows, repaired] = [0, 0]
  let missing = Math.max(0, height - page.strips.length * rowsPerStrip)
  for (let strip = 0; strip < page.strips.length && strip * rowsPerStrip < height; strip++) {
    const top = strip * rowsPerStrip
    const part = decodeStrip(stripData(file, page, strip), page, Math.min(rowsPerStrip, height - top))
    bitmap.words.set(part.bitmap.words, top * bitmap.rowWords)
    rows += part.rows
    repaired += part.repaired
    missing += part.missing
  }
  if (page.photometric === photometric.blackIsZero) invert(bitmap)
  return { bitmap, rows, repaired, missing }
}

function decodeStrip(data: Uint8Array, page: TiffPage, height: number): DecodedPage {
  if (page.compression === compression.t6) return decodeT6(data, page.width, height)
  if (page.compression === compression.rle) return decodeT4(data, page.width, height, 'RLE')
  return decodeT4(data, page.width, height, page.t4Options & t4Option.twoDimensional ? 'MR' : 'MH')
}

function invert(bitmap: Bitmap): void {
  const { words, rowWords, width } = bitmap
  const lastMask = -1 << (31 - ((width - 1) & 31))
  for (let index = 0; index < words.length; index++) words[index] = ~words[index]!
  for (let last = rowWords - 1; last < words.length; last += rowWords) words[last]! &= lastMask
}
