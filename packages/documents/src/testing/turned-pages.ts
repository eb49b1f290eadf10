import sharp from 'sharp'
import { type Bitmap, bitmapFromPacked, packBitmap } from '../raster/bitmap.ts'
import { defaultLimits } from '../base/limits.ts'
import { handling } from '../open-document.ts'
import { dotsAcross, dotsDown, type Resolution } from '../raster/paper.ts'

/** The first page of a PDF as a fax page. */
export async function faxPageOf(pdf: Uint8Array, resolution: Resolution = 'fine'): Promise<Bitmap> {
  const pages = await handling.pdf.open(pdf, 'letter', defaultLimits, 'split')
  const page = await pages.render(0, resolution, 'auto')
  pages.close?.()
  return page
}

/**
 * A page as a scanner gives it that was fed crookedly: turned clockwise by the image library, which knows nothing of
 * ours. Quarters change its size, other angles cut off the corners.
 */
export async function fedAt(page: Bitmap, degrees: number, resolution: Resolution = 'fine'): Promise<Bitmap> {
  const square = Math.round((page.height * dotsAcross) / dotsDown[resolution])
  const gray = { raw: { width: page.width, height: page.height, channels: 1 as const } }
  const straight = await sharp(grayOf(page), gray).resize(page.width, square, { fit: 'fill' }).png().toBuffer()
  const turned = await sharp(straight).rotate(degrees, { background: '#fff' }).png().toBuffer()
  const { width, height } = await sharp(turned).metadata()
  const area = { left: (width - page.width) >> 1, top: (height - square) >> 1, width: page.width, height: square }
  const whole = degrees % 90 === 0
  const cut = whole ? turned : await sharp(turned).extract(area).png().toBuffer()
  const size = whole ? { width, height } : area
  return blackFrom(cut, size.width, Math.round((size.height * dotsDown[resolution]) / dotsAcross))
}

async function blackFrom(png: Buffer, width: number, height: number): Promise<Bitmap> {
  const pixels = await sharp(png).resize(width, height, { fit: 'fill' }).grayscale().raw().toBuffer()
  const rowBytes = (width + 7) >> 3
  const packed = new Uint8Array(rowBytes * height)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    if (pixels[at]! < 128) packed[y * rowBytes + (x >> 3)]! |= 0x80 >> (x & 7)
  }
  return bitmapFromPacked(packed, width, height)
}

function grayOf(page: Bitmap): Uint8Array {
  const packed = packBitmap(page)
  const rowBytes = (page.width + 7) >> 3
  const bit = (x: number, y: number) => (packed[y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1
  return Uint8Array.from({ length: page.width * page.height }, (_, at) =>
    bit(at % page.width, Math.floor(at / page.width)) ? 0 : 255,
  )
}
