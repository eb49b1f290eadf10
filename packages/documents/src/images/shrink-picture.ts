import { checkPixels, type Limits } from '../base/limits.ts'
import type { GrayImage } from '../raster/scale.ts'
import { DocumentProblem } from '../base/problem.ts'
import { type Pixels, shrinkFile } from './image-read.ts'
import { chunk, signature } from './png.ts'

/** A picture as a PDF has it: a JPEG, or deflated rows of gray or of red, green and blue in 8 bits each. */
export interface PdfPicture {
  coding: string
  /** Deflated rows are filtered as those of a PNG. */
  isFiltered: boolean
  data: Uint8Array
  width: number
  height: number
  channels: 1 | 3
  /** Pixels of its place on the fax page, before the picture is turned. */
  shown: { width: number; height: number }
}

/**
 * A picture in gray, of as many pixels as are shown of it, decoded a part at a time. Undefined when it is damaged, or
 * is not what its PDF says: readers draw what there is of such a one.
 */
export async function shrinkPicture(picture: PdfPicture, limits: Limits): Promise<GrayImage | undefined> {
  try {
    checkPixels(picture.width, picture.height, limits)
    if (picture.coding === 'DCTDecode') return grayOf(await shrinkFile(picture.data, 'JPEG', picture, limits))
    const [file, name] = picture.isFiltered ? ([asPng(picture), 'PNG'] as const) : ([asTiff(picture), 'TIFF'] as const)
    return grayOf(await shrinkFile(file, name, picture, limits))
  } catch (problem) {
    if (problem instanceof DocumentProblem) return undefined
    throw problem
  }
}

/** Shares of red, green and blue in gray, in percent, as PDFium has them. */
const [red, green, blue] = [30, 59, 11]

/** A picture in gray. */
function grayOf({ pixels, width, height, channels }: Pixels): GrayImage {
  if (channels === 1) return { pixels, width, height }
  const gray = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < gray.length; at++, from += 3) {
    gray[at] = (red * pixels[from]! + green * pixels[from + 1]! + blue * pixels[from + 2]!) / 100
  }
  return { pixels: gray, width, height }
}

/** Deflated rows with filters as a PNG (ISO/IEC 15948), of which they are the one part that matters. */
function asPng({ data, width, height, channels }: PdfPicture): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, channels === 3 ? 2 : 0], 8)
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.of())])
}

const [short, long] = [3, 4]

/** Deflated rows without filters as the one strip of a TIFF (TIFF 6.0, and its supplement 2 for the compression). */
function asTiff({ data, width, height, channels }: PdfPicture): Uint8Array {
  const bitsAt = 134
  const dataAt = bitsAt + 6
  const entries = [
    ...[[256, long, 1, width] as const, [257, long, 1, height] as const],
    // Bits of each sample: more than two values stand behind the entries.
    [258, short, channels, channels === 1 ? 8 : bitsAt] as const,
    // Deflated; 0 is black, or red, green and blue.
    ...[[259, short, 1, 8] as const, [262, short, 1, channels === 1 ? 1 : 2] as const],
    // The strip, its samples a pixel, its rows and its bytes.
    ...[[273, long, 1, dataAt] as const, [277, short, 1, channels] as const],
    ...[[278, long, 1, height] as const, [279, long, 1, data.length] as const],
    [284, short, 1, 1] as const,
  ]
  const head = Buffer.alloc(dataAt)
  head.write('II*\0\x08\0\0\0', 'latin1')
  head.writeUInt16LE(entries.length, 8)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + 12 * index
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(count, at + 4)
    head.writeUInt32LE(value, at + 8)
  }
  for (let at = bitsAt; at < dataAt; at += 2) head.writeUInt16LE(8, at)
  return Buffer.concat([head, data])
}
