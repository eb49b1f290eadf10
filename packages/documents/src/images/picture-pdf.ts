import { deflateSync } from 'node:zlib'
import { grayImage, type ImageFile, type ImageHeader, readHeader } from './image-read.ts'
import { naturalSize } from './image-pages.ts'
import { checkPages, type Limits } from '../base/limits.ts'
import {
  dotsAcross,
  dotsDown,
  faxRows,
  fitPage,
  type Paper,
  paperPoints,
  pictureFit,
  type Size,
} from '../raster/paper.ts'
import { planSheets, type Sheet } from '../raster/sheets.ts'
import { addImage, drawImage, type PdfImage, PdfWriter } from '../pdf-file/write.ts'

/** Dots an inch that are kept: more than a fax can carry. */
const sufficientDensity = 300

/**
 * Lays an image out on a page of paper, or on several when it is long, as `openImage` lays it on fax pages. Throws
 * `broken`, `too_large`, `too_many_pages`.
 */
export async function pictureToPdf(
  bytes: Uint8Array,
  name: ImageFile['name'],
  paper: Paper,
  limits: Limits,
): Promise<Uint8Array> {
  const image: ImageFile = { bytes, page: 0, name, limits }
  const header = await readHeader(image)
  const size = naturalSize(header)
  const sheets = planSheets([size], paper, pictureFit, 'split')
  checkPages(sheets.length, limits)
  const isLong = sheets.length > 1 || sheets[0]!.place('fine').rows !== faxRows(paper, 'fine')
  if (isLong) return longPictureToPdf(image, header, sheets, paper)
  const area = paperPoints[paper]
  const { scale, turned } = fitPage(size, area, pictureFit)
  const placed = { width: size.width * scale, height: size.height * scale }
  const data = isPlainJpeg(name, header) ? jpegImage(bytes, header) : await embedGray(image, header, placed)
  const pdf = new PdfWriter()
  const resources = `/XObject<</I ${addImage(pdf, data)} 0 R>>`
  pdf.addPage(area.width, area.height, resources, drawImage(matrixFor(placed, area, turned)))
  return pdf.finish()
}

/** A picture on sheets that each show a part of it. */
async function longPictureToPdf(
  image: ImageFile,
  header: ImageHeader,
  sheets: readonly Sheet[],
  paper: Paper,
): Promise<Uint8Array> {
  const across = (dots: number) => (dots * 72) / dotsAcross
  const down = (rows: number) => (rows * 72) / dotsDown.fine
  const { place: first } = sheets[0]!.place('fine')
  const [width, height] = [across(first.width), down(first.height)]
  const placed = first.turned ? { width: height, height: width } : { width, height }
  const pdf = new PdfWriter()
  const picture = addImage(pdf, await embedGray(image, header, placed))
  for (const sheet of sheets) {
    const { place, rows } = sheet.place('fine')
    const area = { width: paperPoints[paper].width, height: down(rows) }
    const [left, bottom] = [(area.width - width) / 2, area.height - down(place.top) - height]
    const matrix = place.turned ? [0, -height, width, 0, left, bottom + height] : [width, 0, 0, height, left, bottom]
    pdf.addPage(area.width, area.height, `/XObject<</I ${picture} 0 R>>`, drawImage(matrix))
  }
  return pdf.finish()
}

/** An image in gray, reduced to what a fax can carry at the size it is placed. */
export async function embedGray(image: ImageFile, header: ImageHeader, placed: Size): Promise<PdfImage> {
  const across = Math.min(header.width, Math.ceil((placed.width * sufficientDensity) / 72))
  const down = Math.min(header.height, Math.ceil((placed.height * sufficientDensity) / 72))
  const { pixels, width, height } = await grayImage(image, across, down)
  const entries = '/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode'
  return { width, height, entries, data: deflateSync(pixels) }
}

/** Upright, gray or in the usual colors: PDF readers show it exactly as it is (ISO 32000-1, 7.4.8). */
function isPlainJpeg(name: ImageFile['name'], { channels, space, orientation }: ImageHeader): boolean {
  const plain = (channels === 3 && space === 'srgb') || (channels === 1 && space === 'b-w')
  return name === 'JPEG' && plain && orientation === 1
}

function jpegImage(bytes: Uint8Array, { width, height, channels }: ImageHeader): PdfImage {
  const colors = channels === 1 ? '/DeviceGray' : '/DeviceRGB'
  return { width, height, entries: `/ColorSpace${colors}/BitsPerComponent 8/Filter/DCTDecode`, data: bytes }
}

/** Centers a picture on the area; a turned one is turned clockwise. */
function matrixFor(placed: Size, area: Size, turned: boolean): number[] {
  const [across, down] = turned ? [placed.height, placed.width] : [placed.width, placed.height]
  const [left, bottom] = [(area.width - across) / 2, (area.height - down) / 2]
  return turned ? [0, -down, across, 0, left, bottom + down] : [across, 0, 0, down, left, bottom]
}
