import { deflateSync } from 'node:zlib'
import { greyImage, readHeader } from './image-read.ts'
import type { ImageFile, ImageHeader } from './image-read.ts'
import { naturalSize } from './image-pages.ts'
import type { Limits } from '../worker/limits.ts'
import { fitPage, paperPoints, pictureFit } from '../raster/paper.ts'
import type { Paper, Size } from '../raster/paper.ts'
import { addImage, drawImage } from '../pdf/image.ts'
import type { PdfImage } from '../pdf/image.ts'
import { PdfWriter } from '../pdf/write.ts'

/** Dots an inch that are kept: more than a fax can carry. */
const sufficientDensity = 300

/** Lays an image out on a page of paper, as `openImage` lays it on the fax page. Throws `broken`, `too_large`. */
export async function pictureToPdf(
  bytes: Uint8Array,
  name: ImageFile['name'],
  paper: Paper,
  limits: Limits,
): Promise<Uint8Array> {
  const image: ImageFile = { bytes, page: 0, name, limits }
  const header = await readHeader(image)
  const size = naturalSize(header)
  const area = paperPoints[paper]
  const { scale, turned } = fitPage(size, area, pictureFit)
  const placed = { width: size.width * scale, height: size.height * scale }
  const data = isPlainJpeg(name, header) ? jpegImage(bytes, header) : await embedGrey(image, header, placed)
  const pdf = new PdfWriter()
  const resources = `/XObject<</I ${addImage(pdf, data)} 0 R>>`
  pdf.addPage(area.width, area.height, resources, drawImage(matrixFor(placed, area, turned)))
  return pdf.finish()
}

/** An image in gray, reduced to what a fax can carry at the size it is placed. */
export async function embedGrey(image: ImageFile, header: ImageHeader, placed: Size): Promise<PdfImage> {
  const across = Math.min(header.width, Math.ceil((placed.width * sufficientDensity) / 72))
  const down = Math.min(header.height, Math.ceil((placed.height * sufficientDensity) / 72))
  const { pixels, width, height } = await greyImage(image, across, down)
  const entries = '/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode'
  return { width, height, entries, data: deflateSync(pixels) }
}

/** Upright, gray or in the usual colors: PDF readers show it exactly as it is (ISO 32000-1, 7.4.8). */
function isPlainJpeg(name: ImageFile['name'], { channels, space, orientation }: ImageHeader): boolean {
  const plain = (channels === 3 && space === 'srgb') || (channels === 1 && space === 'b-w')
  return name === 'JPEG' && plain && orientation === 1
}

function jpegImage(bytes: Uint8Array, { width, height, channels }: ImageHeader): PdfImage {
  const colours = channels === 1 ? '/DeviceGray' : '/DeviceRGB'
  return { width, height, entries: `/ColorSpace${colours}/BitsPerComponent 8/Filter/DCTDecode`, data: bytes }
}

/** Centres a picture on the area; a turned one is turned clockwise. */
function matrixFor(placed: Size, area: Size, turned: boolean): number[] {
  const [across, down] = turned ? [placed.height, placed.width] : [placed.width, placed.height]
  const [left, bottom] = [(area.width - across) / 2, (area.height - down) / 2]
  return turned ? [0, -down, across, 0, left, bottom + down] : [across, 0, 0, down, left, bottom]
}
