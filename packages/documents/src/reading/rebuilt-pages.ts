import { type Bitmap, bitmapFromPacked } from '../raster/bitmap.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { addImage, drawImage, type PdfImage, PdfWriter } from '../pdf-file/write.ts'
import { type Pdfium, withBitmap } from '../pdf/pdfium.ts'
import { type Box, type PicturePage, readPicturePage } from '../pdf/pictures/scan.ts'
import { findScanImages } from '../pdf/pictures/scan-images.ts'
import { encodeT6 } from '../t4-t6/t6-encode.ts'
import { ccittImage } from '../tiff/pdf.ts'

/** Render flags of fpdfview.h: gray, and visibility as for printing. */
const grayPrint = 0x08 | 0x800
const white = 0xff
/** A page whose picture ends so many points beside its edges is drawn pixel for pixel. */
const exactly = 0.01
/** Pixels that are drawn at most. */
const maxPixels = 40_000_000

/** A page that was taken apart. */
interface PicturedPage {
  image: PdfImage
  box: Box
  place: Box
  turns: number
}

/**
 * A PDF each of whose pages is one gray or black and white picture, written again with those pictures alone, and the
 * edges of its pages before. What is on them stays pixel for pixel. Undefined when there is anything else in it.
 * Call it inside `guardPdfium`.
 */
export function rebuildPages(document: PdfDocument, file: Uint8Array): { pdf: Uint8Array; boxes: Box[] } | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  // PDF/A has no pictures that viewers soften, and what is attached would be lost.
  if (/\/Interpolate\s+true/.test(bytes.toString('latin1')) || document.editor.hasAttachments) return undefined
  const images = findScanImages(file)
  const pages: PicturedPage[] = []
  for (let index = 0; index < document.pages; index++) {
    const made = document.look(index, (pdfium, page) => {
      const found = readPicturePage(pdfium, page, images)
      const image = found && imageOf(pdfium, page, found)
      return image && { ...found, image }
    })
    if (!made) return undefined
    pages.push(made)
  }
  const pdf = new PdfWriter()
  for (const { image, box, place, turns } of pages) {
    const matrix = [place.width, 0, 0, place.height, place.left - box.left, place.bottom - box.bottom]
    const resources = `/XObject<</I ${addImage(pdf, image)} 0 R>>`
    pdf.addPage(box.width, box.height, resources, drawImage(matrix), { turns })
  }
  return { pdf: pdf.finish(), boxes: pages.map(({ box }) => box) }
}

function imageOf(pdfium: Pdfium, page: number, found: PicturePage): PdfImage | undefined {
  const { scan } = found
  if ('jpeg' in scan) return isGrayJpeg(scan) ? jpegImage(scan) : undefined
  const bitmap = 'bitmap' in scan ? scan.bitmap : drawBilevel(pdfium, page, found, scan)
  return bitmap && ccittImage({ ...bitmap, photometric: 0 }, encodeT6(bitmap), '/K -1')
}

interface Jpeg {
  jpeg: Uint8Array
  width: number
  height: number
}

function jpegImage({ jpeg, width, height }: Jpeg): PdfImage {
  return { width, height, entries: '/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode', data: jpeg }
}

/** Whether the frame of a JPEG (ITU-T T.81, B.2.2) has one component, and the size that the PDF says. */
function isGrayJpeg({ jpeg, width, height }: Jpeg): boolean {
  const data = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.length)
  for (let at = 2; at + 10 < data.length && data[at] === 0xff;) {
    const marker = data[at + 1]!
    if (marker >= 0xc0 && marker <= 0xc2) {
      return data[at + 9] === 1 && data.readUInt16BE(at + 5) === height && data.readUInt16BE(at + 7) === width
    }
    at += 2 + data.readUInt16BE(at + 2)
  }
  return false
}

/** The pixels of a black and white picture in whatever coding, as PDFium draws the page; undefined where there are grays. */
function drawBilevel(
  pdfium: Pdfium,
  page: number,
  { box, place, turns }: PicturePage,
  { width, height }: { width: number; height: number },
): Bitmap | undefined {
  const isExact = (['left', 'bottom', 'width', 'height'] as const).every(
    (side) => Math.abs(box[side] - place[side]) <= exactly,
  )
  if (!isExact || width * height > maxPixels) return undefined
  return withBitmap(pdfium, { width, height }, (bitmap, pixels) => {
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, (4 - turns) % 4, grayPrint)
    return bilevelOf(pixels(), width, height)
  })
}

function bilevelOf(gray: Uint8Array, width: number, height: number): Bitmap | undefined {
  const rowBytes = (width + 7) >> 3
  const packed = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const tone = gray[y * width + x]!
      if (tone === 0) packed[y * rowBytes + (x >> 3)]! |= 0x80 >> (x & 7)
      else if (tone !== white) return undefined
    }
  }
  return bitmapFromPacked(packed, width, height)
}
