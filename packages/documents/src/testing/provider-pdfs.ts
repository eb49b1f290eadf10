import { type Bitmap, packBitmap } from '../raster/bitmap.ts'
import { encodeT6 } from '../t4-t6/t6-encode.ts'
import { jpegStream } from './made-pages.ts'
import { pdfOf, streamOf, textAt } from './pdf-samples.ts'

const image = (bitmap: Bitmap, entries: string, data: Uint8Array) =>
  streamOf(
    Buffer.from(data).toString('latin1'),
    `/Type/XObject/Subtype/Image/Width ${bitmap.width}/Height ${bitmap.height}${entries}`,
  )

const bilevel = '/BitsPerComponent 1/ColorSpace/DeviceGray'

/** How services that receive faxes write a page as a picture. */
export const pictureWays = {
  'T.6': async (bitmap) =>
    image(
      bitmap,
      `${bilevel}/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${bitmap.width}/Rows ${bitmap.height}>>`,
      encodeT6(bitmap),
    ),
  'plain bits, black is 0': async (bitmap) =>
    image(
      bitmap,
      bilevel,
      packBitmap(bitmap).map((byte) => ~byte),
    ),
  'an indexed palette': async (bitmap) =>
    image(bitmap, '/BitsPerComponent 1/ColorSpace[/Indexed/DeviceRGB 1 <ffffff000000>]', packBitmap(bitmap)),
  'a gray JPEG': async (bitmap) => {
    const packed = packBitmap(bitmap)
    const rowBytes = Math.ceil(bitmap.width / 8)
    const pixels = Buffer.alloc(bitmap.width * bitmap.height)
    for (let y = 0; y < bitmap.height; y++) {
      for (let x = 0; x < bitmap.width; x++) {
        const isBlack = (packed[y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1
        pixels[y * bitmap.width + x] = isBlack ? 0 : 255
      }
    }
    return jpegStream({ pixels, width: bitmap.width, height: bitmap.height }, 80)
  },
} as const satisfies Record<string, (bitmap: Bitmap) => Promise<string>>

export type PictureWay = keyof typeof pictureWays

/** A page of letter paper that is one picture; `turns` quarters are noted in it, and `more` is drawn upon it. */
export async function picturedPdf(
  way: PictureWay,
  bitmap: Bitmap,
  { turns = 0, more = '', box = [0, 0] }: { turns?: number; more?: string; box?: [number, number] } = {},
): Promise<Buffer> {
  const [left, bottom] = box
  const entries = `${turns === 0 ? '' : `/Rotate ${90 * turns}`}/CropBox[${left} ${bottom} ${left + 612} ${bottom + 792}]`
  const content = `q 612 0 0 792 ${left} ${bottom} cm /X Do Q ${more && textAt(left + 72, bottom + 40, 9, more)}`
  return pdfOf([{ content, entries, width: 612 + left, height: 792 + bottom }], [await pictureWays[way](bitmap)])
}
