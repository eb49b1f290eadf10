import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Bitmap, bitmapFromPacked } from '../raster/bitmap.ts'
import { testFolder, writePages } from './judges.ts'

/** How a scanner took a page. */
export interface Scanning {
  /** Degrees by which the paper lay askew. */
  skew?: number
  /** Share of the pixels that are wrong. */
  noise?: number
  /** A white strip over the upper and one over the lower half of the page, of so many pixels: what a fold or a sticker hides. */
  hidden?: number
}

const width = 1728
const height = 2200

/** A picture of a page as a scanner of 200 dpi makes it, black and white. */
export async function scanPage(png: Uint8Array, { skew = 0, noise = 0, hidden = 0 }: Scanning): Promise<Bitmap> {
  const strip = { input: { create: { width, height: Math.max(1, hidden), channels: 3, background: '#fff' } } } as const
  const strips =
    hidden > 0
      ? [
          { ...strip, left: 0, top: 1200 - hidden / 2 },
          { ...strip, left: 0, top: 1700 - hidden / 2 },
        ]
      : []
  const whole = await sharp(png)
    .resize(width, height, { fit: 'fill' })
    .flatten({ background: '#fff' })
    .composite(strips.map((each) => ({ ...each, top: Math.round(each.top) })))
    .png()
    .toBuffer()
  const gray = await sharp(whole)
    .rotate(skew, { background: '#fff' })
    .resize(width, height, { fit: 'cover' })
    .grayscale()
    .raw()
    .toBuffer()
  const packed = Buffer.alloc((width / 8) * height)
  let seed = 1
  for (let at = 0; at < gray.length; at++) {
    // Numerical Recipes' generator: the same specks each time.
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    const isBlack = seed / 2 ** 32 < noise ? gray[at]! >= 128 : gray[at]! < 128
    if (isBlack) packed[at >> 3]! |= 0x80 >> (at & 7)
  }
  return bitmapFromPacked(packed, width, height)
}

/** Scanned pages as a TIFF file coded with T.6. */
export async function scannedPile(pages: readonly Bitmap[]): Promise<Buffer> {
  const path = join(testFolder(), 'pile.tiff')
  await writePages(path, pages)
  return readFileSync(path)
}
