import type { Bitmap } from '../../raster/bitmap.ts'
import { allocate, release } from '../pdfium.ts'
import type { Pdfium } from '../pdfium.ts'
import { rawData } from './frail-pictures.ts'
import { codingOf, isPlain } from './scan-images.ts'
import type { ScanImages } from './scan-images.ts'
import { decodeT6 } from '../../t4-t6/t6-decode.ts'

/** Of fpdf_edit.h and fpdfview.h: kinds of objects, text that is not drawn, and gray color spaces. */
const type = { text: 1, image: 3 }
const invisibleText = 3
const graySpaces = [1, 4]
/** A mask, which is painted in the color at hand, has none. */
const unknownSpace = 0
/** A scan may end so many points beside the edges of its page. */
const margin = 0.5
/** Objects of a page at most: a scan and the words that were read on it. */
const maxObjects = 5000

/** A page that is one image, as the file holds it: decoded where that is done here, else a JPEG in gray. */
export type Scan = { bitmap: Bitmap } | { jpeg: Uint8Array; width: number; height: number }

/**
 * The image that a page consists of, if it is one of `images` and covers the page, beside text that is not drawn: such a
 * page needs no drawing, which takes longer. Undefined for any other page, and when T.6 codes are damaged.
 */
export function readScan(pdfium: Pdfium, page: number, images: ScanImages): Scan | undefined {
  const image = onlyImage(pdfium, page)
  if (image === undefined) return undefined
  const room = allocate(pdfium, 64)
  try {
    if (pdfium.FPDFPage_GetRotation(page) !== 0 || !coverOf(pdfium, page, image, room)) return undefined
    return decode(pdfium, page, image, images, room)
  } finally {
    release(pdfium, room)
  }
}

/** An area of a page as it lies before it is turned. */
export interface Box {
  left: number
  bottom: number
  width: number
  height: number
}

/** How a page that is one picture is made, whichever way it is turned. Sizes and places in points. */
export interface PicturePage {
  /** As the file holds it where that is decoded here; else the pixels of a black and white picture, to be drawn. */
  scan: Scan | { width: number; height: number }
  /** What is seen of the page, and where the picture lies. */
  box: Box
  place: Box
  /** Quarters by which it is turned to the right when it is shown. */
  turns: number
}

/** The picture that a page consists of, beside text that is not drawn; undefined when it shows anything else, or colors. */
export function readPicturePage(pdfium: Pdfium, page: number, images: ScanImages): PicturePage | undefined {
  const image = onlyImage(pdfium, page)
  if (image === undefined) return undefined
  const room = allocate(pdfium, 64)
  try {
    const cover = coverOf(pdfium, page, image, room)
    const turns = pdfium.FPDFPage_GetRotation(page)
    const scan = cover && (decode(pdfium, page, image, images, room) ?? bilevelSize(pdfium, page, image, room))
    return scan && { scan, turns, ...cover }
  } finally {
    release(pdfium, room)
  }
}

/** Pixels of a picture of one bit each, in any color. */
function bilevelSize(pdfium: Pdfium, page: number, image: number, room: number) {
  if (!pdfium.FPDFImageObj_GetImageMetadata(image, page, room)) return undefined
  const [width = 0, height = 0, , , bits, space] = pdfium.pdfium.HEAP32.subarray(room >> 2, (room >> 2) + 6)
  return bits === 1 && space !== unknownSpace ? { width, height } : undefined
}

function decode(pdfium: Pdfium, page: number, image: number, images: ScanImages, room: number): Scan | undefined {
  const coding = codingOf(pdfium, image, room)
  const size = sizeOfGray(pdfium, page, image, room)
  if (!size || !isPlain(images, coding, size.width, size.height)) return undefined
  const data = rawData(pdfium, image)
  const { width, height, bits } = size
  if (coding !== 'CCITTFaxDecode') return bits === 8 ? { jpeg: data, width, height } : undefined
  const { bitmap, rows } = decodeT6(data, width, height)
  return bits === 1 && rows === height ? { bitmap } : undefined
}

/** The image of a page that shows nothing else; one that may be hidden, clipped or seen through does not count. */
function onlyImage(pdfium: Pdfium, page: number): number | undefined {
  const count = pdfium.FPDFPage_CountObjects(page)
  if (count > maxObjects || pdfium.FPDFPage_GetAnnotCount(page) > 0) return undefined
  let image: number | undefined
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind === type.text && pdfium.FPDFTextObj_GetTextRenderMode(object) === invisibleText) continue
    if (kind !== type.image || image !== undefined) return undefined
    image = object
  }
  if (image === undefined || pdfium.FPDFPageObj_CountMarks(image) > 0) return undefined
  if (pdfium.FPDFPageObj_HasTransparency(image)) return undefined
  return pdfium.FPDFClipPath_CountPaths(pdfium.FPDFPageObj_GetClipPath(image)) > 0 ? undefined : image
}

/** What is seen of a page and where its image lies, if upright on the whole of it. */
function coverOf(pdfium: Pdfium, page: number, image: number, room: number): { box: Box; place: Box } | undefined {
  const numbers = (count: number) => [...pdfium.pdfium.HEAPF32.subarray(room >> 2, (room >> 2) + count)]
  if (!pdfium.FPDFPageObj_GetMatrix(image, room)) return undefined
  const [width = 0, skewed, slanted, height = 0, x = 0, y = 0] = numbers(6)
  if (skewed !== 0 || slanted !== 0) return undefined
  if (!pdfium.FPDF_GetPageBoundingBox(page, room)) return undefined
  const [left = 0, top = 0, right = 0, bottom = 0] = numbers(4)
  const gaps = [x - left, y - bottom, x + width - right, y + height - top]
  if (gaps.some((gap) => Math.abs(gap) > margin)) return undefined
  const box = { left, bottom, width: right - left, height: top - bottom }
  return { box, place: { left: x, bottom: y, width, height } }
}

/** Pixels of an image in gray and bits of each, as FPDF_IMAGEOBJ_METADATA of fpdf_edit.h has them. */
function sizeOfGray(pdfium: Pdfium, page: number, image: number, room: number) {
  if (!pdfium.FPDFImageObj_GetImageMetadata(image, page, room)) return undefined
  const [width, height, , , bits, space] = pdfium.pdfium.HEAP32.subarray(room >> 2, (room >> 2) + 6)
  return graySpaces.includes(space!) ? { width: width!, height: height!, bits: bits! } : undefined
}
