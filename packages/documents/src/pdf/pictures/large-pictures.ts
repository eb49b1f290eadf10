import type { PdfPicture } from '../../images/shrink-picture.ts'
import type { GrayImage } from '../../raster/scale.ts'
import type { Placement } from '../../raster/paper.ts'
import { allocate, release } from '../pdfium.ts'
import type { Pdfium } from '../pdfium.ts'
import { matrixOf, rawData, toDevice } from './frail-pictures.ts'
import { codingOf, isPlain } from './scan-images.ts'
import type { ScanImages } from './scan-images.ts'

/** Of fpdf_edit.h and fpdfview.h: pictures, their spaces of gray and of red, green and blue, and gray bitmaps. */
const imageType = 3
const spaces = { gray: [1, 4], either: [1, 2, 4, 5, 7] }
const grayFormat = 1
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
  const room = allocate(pdfium, 64)
  const count = Math.min(max.objects, pdfium.FPDFPage_CountObjects(page))
  for (let index = 0; index < count && found.length < max.pictures; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    if (pdfium.FPDFPageObj_GetType(object) !== imageType) continue
    const picture = largePicture(pdfium, page, place, object, images, room)
    if (picture) found.push({ index, ...picture })
  }
  release(pdfium, room)
  return found
}

function largePicture(
  pdfium: Pdfium,
  page: number,
  place: Placement,
  image: number,
  images: ScanImages,
  room: number,
): Omit<LargePicture, 'index'> | undefined {
  const coding = codingOf(pdfium, image, room)
  if (!pdfium.FPDFImageObj_GetImageMetadata(image, page, room)) return undefined
  const [width = 0, height = 0, , , bits, space = 0] = pdfium.pdfium.HEAP32.slice(room >> 2, (room >> 2) + 6)
  const codedAs = ['colored', 'filtered'].find((how) => isPlain(images, `${how} ${coding}`, width, height))
  if (width * height < leastPixels || !codedAs) return undefined
  if (!spaces.either.includes(space) || (bits !== 8 && (bits !== 24 || spaces.gray.includes(space)))) return undefined
  const shown = shownSize(pdfium, page, place, image, room)
  if (!shown || shown.width * shown.height * leastTimes > width * height) return undefined
  if (pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0) > max.bytes) return undefined
  return {
    isFiltered: codedAs === 'filtered',
    ...{ coding, data: rawData(pdfium, image), width, height, channels: bits === 8 ? 1 : 3, shown },
  }
}

/** Pixels along both sides of a picture on the fax page; undefined when none is as long as a pixel. */
function shownSize(pdfium: Pdfium, page: number, place: Placement, image: number, room: number) {
  const matrix = matrixOf(pdfium, image, room)
  if (!matrix) return undefined
  const [a, b, c, d, e, f] = matrix
  const [corner, right, top] = [
    toDevice(pdfium, page, place, e, f),
    toDevice(pdfium, page, place, e + a, f + b),
    toDevice(pdfium, page, place, e + c, f + d),
  ]
  const width = Math.round(Math.hypot(right.x - corner.x, right.y - corner.y))
  const height = Math.round(Math.hypot(top.x - corner.x, top.y - corner.y))
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** Shows shrunk pictures in the places of the large ones, until the page is closed. */
export function putPictures(pdfium: Pdfium, page: number, pictures: Shrunk): void {
  for (const { index, gray } of pictures) {
    const pixels = allocate(pdfium, gray.pixels.length)
    pdfium.pdfium.HEAPU8.set(gray.pixels, pixels)
    const bitmap = pdfium.FPDFBitmap_CreateEx(gray.width, gray.height, grayFormat, pixels, gray.width)
    pdfium.FPDFImageObj_SetBitmap(0, 0, pdfium.FPDFPage_GetObject(page, index), bitmap)
    pdfium.FPDFBitmap_Destroy(bitmap)
    release(pdfium, pixels)
  }
}
