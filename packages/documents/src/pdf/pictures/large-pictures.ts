import type { PdfPicture } from '../../images/shrink-picture.ts'
import type { GrayImage } from '../../raster/scale.ts'
import type { Placement } from '../../raster/paper.ts'
import { join } from '../matrix.ts'
import { codingOf, kindOf, kinds, matrixOf, metadataOf, objectsOn, rawData, toFaxPage } from '../page-objects.ts'
import { type Pdfium, withBitmap } from '../pdfium.ts'
import { isPlain, type ScanImages } from './scan-images.ts'

/** Color spaces of fpdf_edit.h: of gray, and of gray or of red, green and blue. */
const spaces = { gray: [1, 4], either: [1, 2, 4, 5, 7] }
/** Objects and pictures of a page that are looked at, and coded bytes that are taken of one. */
const max = { objects: 5000, pictures: 16, bytes: 2 ** 26 }
/** Smaller ones are drawn as they are, and so is what has few more pixels than its place. */
const leastPixels = 200_000
const leastTimes = 1.2

/** A picture that has more pixels than the fax page shows of it. */
export interface LargePicture extends PdfPicture {
  /** Of its object on the page. */
  index: number
}

/** A picture as large as its place. */
export interface ShrunkPicture {
  index: number
  gray: GrayImage
}

export type Shrunk = readonly ShrunkPicture[]

/** Whether a file has any image as large. */
export function hasLarge(images: ScanImages): boolean {
  const sizes = [...images].flatMap(([coding, found]) => (coding.includes(' ') ? [...found] : []))
  return sizes.some((size) => size.split(' ').reduce((pixels, side) => pixels * Number(side), 1) >= leastPixels)
}

/** The large pictures that a page draws itself and that need nothing but decoding. */
export function findLargePictures(pdfium: Pdfium, page: number, place: Placement, images: ScanImages): LargePicture[] {
  const found: LargePicture[] = []
  for (const [index, object] of objectsOn(pdfium, page, max.objects).entries()) {
    if (kindOf(pdfium, object) !== kinds.image || found.length === max.pictures) continue
    const picture = largePicture(pdfium, page, place, object, images)
    if (picture) found.push({ index, ...picture })
  }
  return found
}

function largePicture(
  pdfium: Pdfium,
  page: number,
  place: Placement,
  image: number,
  images: ScanImages,
): PdfPicture | undefined {
  const coding = codingOf(pdfium, image)
  const size = metadataOf(pdfium, page, image)
  if (!size) return undefined
  const { width, height, bits, space } = size
  const codedAs = ['colored', 'filtered'].find((how) => isPlain(images, `${how} ${coding}`, width, height))
  if (width * height < leastPixels || !codedAs) return undefined
  if (!spaces.either.includes(space) || (bits !== 8 && (bits !== 24 || spaces.gray.includes(space)))) return undefined
  const shown = shownSize(pdfium, page, place, image)
  if (!shown || shown.width * shown.height * leastTimes > width * height) return undefined
  if (pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0) > max.bytes) return undefined
  return {
    isFiltered: codedAs === 'filtered',
    ...{ coding, data: rawData(pdfium, image), width, height, channels: bits === 8 ? 1 : 3, shown },
  }
}

/** Pixels along both sides of a picture on the fax page; undefined when none is as long as a pixel. */
function shownSize(pdfium: Pdfium, page: number, place: Placement, image: number) {
  const matrix = matrixOf(pdfium, image)
  if (!matrix) return undefined
  const [a, b, c, d] = join(matrix, toFaxPage(pdfium, page, place))
  const [width, height] = [Math.round(Math.hypot(a, b)), Math.round(Math.hypot(c, d))]
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** Shows shrunk pictures in the places of the large ones, until the page is closed. */
export function putPictures(pdfium: Pdfium, page: number, pictures: Shrunk): void {
  for (const { index, gray } of pictures) {
    withBitmap(pdfium, gray, (bitmap, pixels) => {
      pixels().set(gray.pixels)
      pdfium.FPDFImageObj_SetBitmap(0, 0, pdfium.FPDFPage_GetObject(page, index), bitmap)
    })
  }
}
