import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { Bitmap } from '../raster/bitmap.ts'
import { defaultLimits } from '../base/limits.ts'
import { decodeTiffPage } from '../tiff/decode.ts'
import { readTiff } from '../tiff/read.ts'

/** The usual way to ask for pages. */
export const fineLetter = { resolution: 'fine', paper: 'letter' } as const

/** A picture with soft tones: dark on the left and bottom, light on the right and top. */
export function photo(width = 640, height = 480): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    pixels[at] = 110 + (100 * x) / width - (60 * y) / height + 20 * Math.sin(x / 9) * Math.cos(y / 7)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** The pages of a TIFF file of CCITT data. */
export function readPages(path: string): Bitmap[] {
  const file = readFileSync(path)
  return readTiff(file, defaultLimits).map((page) => decodeTiffPage(file, page).bitmap)
}

/** Share of black pixels in a part of a page; edges in shares of its width and height. */
export function blackShare(bitmap: Bitmap, left = 0, top = 0, right = 1, bottom = 1): number {
  const [x0, x1] = [Math.floor(left * bitmap.width), Math.ceil(right * bitmap.width)]
  const [y0, y1] = [Math.floor(top * bitmap.height), Math.ceil(bottom * bitmap.height)]
  let black = 0
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      black += (bitmap.words[y * bitmap.rowWords + (x >> 5)]! >>> (31 - (x & 31))) & 1
    }
  }
  return black / ((x1 - x0) * (y1 - y0))
}
