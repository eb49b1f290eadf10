import { crc32, deflateSync } from 'node:zlib'
import { type Bitmap, packBitmap } from '../raster/bitmap.ts'
import type { GrayImage } from '../raster/scale.ts'

export const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const grayscale = 0
const palette = 3
const red = 16
/** Sixteen tones of gray, and a red. */
const colors = Buffer.from(
  [...Array.from({ length: 16 }, (_, tone) => [17 * tone, 17 * tone, 17 * tone]), [209, 26, 42]].flat(),
)

/** A bilevel page as a 1-bit PNG (ISO/IEC 15948). */
export function bitmapToPng(bitmap: Bitmap): Uint8Array {
  const packed = packBitmap(bitmap)
  for (let index = 0; index < packed.length; index++) packed[index] = ~packed[index]!
  return png(packed, bitmap.width, bitmap.height, 1)
}

/** A gray image as a PNG of 16 tones: as good as 256 for a page that was black and white, at half the size. */
export function grayToPng({ pixels, width, height }: GrayImage): Uint8Array {
  const rowBytes = (width + 1) >> 1
  const packed = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      packed[y * rowBytes + (x >> 1)]! |= Math.round(pixels[y * width + x]! / 17) << (x & 1 ? 0 : 4)
    }
  }
  return png(packed, width, height, 4)
}

/** A gray image as a PNG of 16 tones, in which the pixels that `marks` has a 1 for are red. */
export function markedToPng({ pixels, width, height }: GrayImage, marks: Uint8Array): Uint8Array {
  const rows = pixels.map((tone, at) => (marks[at] === 1 ? red : Math.round(tone / 17)))
  return png(rows, width, height, 8, palette)
}

function png(rows: Uint8Array, width: number, height: number, bitDepth: number, color = grayscale): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = bitDepth
  header[9] = color
  const rowBytes = rows.length / height
  const filtered = new Uint8Array((rowBytes + 1) * height)
  for (let y = 0; y < height; y++) filtered.set(rows.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...(color === palette ? [chunk('PLTE', colors)] : []),
    chunk('IDAT', deflateSync(filtered, { level: 6 })),
    chunk('IEND', new Uint8Array(0)),
  ])
}

/** A part of a PNG file with its length and checksum. */
export function chunk(type: string, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(body.length + 12)
  bytes.writeUInt32BE(body.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(body, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, body.length + 8)), body.length + 8)
  return bytes
}

/** What stands in a gray PNG that this room wrote: bits of a pixel, and its compressed rows, which are one chunk. */
export function readPng(png: Uint8Array): { bits: number; data: Uint8Array } {
  const file = Buffer.from(png.buffer, png.byteOffset, png.length)
  // The signature, then IHDR with its 13 bytes, of which the ninth is the bit depth (ISO/IEC 15948, 11.2.2).
  const dataAt = 8 + 12 + 13
  const length = file.readUInt32BE(dataAt)
  return { bits: file.readUInt8(24), data: file.subarray(dataAt + 8, dataAt + 8 + length) }
}
