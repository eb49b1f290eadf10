import type { Bitmap } from '../../raster/bitmap.ts'
import {
  codingOf,
  floatsOf,
  isUnseenText,
  kindOf,
  kinds,
  matrixOf,
  metadataOf,
  objectsOn,
  rawData,
} from '../page-objects.ts'
import type { Pdfium } from '../pdfium.ts'
import { isPlain, type ScanImages } from './scan-images.ts'
import { decodeT6 } from '../../t4-t6/t6-decode.ts'

/** Gray color spaces of fpdf_edit.h. */
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
  if (image === undefined || pdfium.FPDFPage_GetRotation(page) !== 0) return undefined
  return coverOf(pdfium, page, image) && decode(pdfium, page, image, images)
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
  const cover = coverOf(pdfium, page, image)
  const scan = cover && (decode(pdfium, page, image, images) ?? bilevelSize(pdfium, page, image))
  return scan && { scan, turns: pdfium.FPDFPage_GetRotation(page), ...cover }
}

/** Pixels of a picture of one bit each, in any color. */
function bilevelSize(pdfium: Pdfium, page: number, image: number) {
  const found = metadataOf(pdfium, page, image)
  return found?.bits === 1 && found.space !== unknownSpace ? { width: found.width, height: found.height } : undefined
}

function decode(pdfium: Pdfium, page: number, image: number, images: ScanImages): Scan | undefined {
  const coding = codingOf(pdfium, image)
  const size = metadataOf(pdfium, page, image)
  if (!size || !graySpaces.includes(size.space)) return undefined
  const { width, height, bits } = size
  if (!isPlain(images, coding, width, height)) return undefined
  const data = rawData(pdfium, image)
  if (coding !== 'CCITTFaxDecode') return bits === 8 ? { jpeg: data, width, height } : undefined
  const { bitmap, rows } = decodeT6(data, width, height)
  return bits === 1 && rows === height ? { bitmap } : undefined
}

/** The image of a page that shows nothing else; one that may be hidden, clipped or seen through does not count. */
function onlyImage(pdfium: Pdfium, page: number): number | undefined {
  if (pdfium.FPDFPage_CountObjects(page) > maxObjects || pdfium.FPDFPage_GetAnnotCount(page) > 0) return undefined
  let image: number | undefined
  for (const object of objectsOn(pdfium, page)) {
    if (isUnseenText(pdfium, object)) continue
    if (kindOf(pdfium, object) !== kinds.image || image !== undefined) return undefined
    image = object
  }
  if (image === undefined || pdfium.FPDFPageObj_CountMarks(image) > 0) return undefined
  if (pdfium.FPDFPageObj_HasTransparency(image)) return undefined
  return pdfium.FPDFClipPath_CountPaths(pdfium.FPDFPageObj_GetClipPath(image)) > 0 ? undefined : image
}

/** What is seen of a page and where its image lies, if upright on the whole of it. */
function coverOf(pdfium: Pdfium, page: number, image: number): { box: Box; place: Box } | undefined {
  const [width = 0, skewed, slanted, height = 0, x = 0, y = 0] = matrixOf(pdfium, image) ?? []
  if (skewed !== 0 || slanted !== 0) return undefined
  if (!pdfium.FPDF_GetPageBoundingBox(page, pdfium.room)) return undefined
  const [left = 0, top = 0, right = 0, bottom = 0] = floatsOf(pdfium, 4)
  const gaps = [x - left, y - bottom, x + width - right, y + height - top]
  if (gaps.some((gap) => Math.abs(gap) > margin)) return undefined
  const box = { left, bottom, width: right - left, height: top - bottom }
  return { box, place: { left: x, bottom: y, width, height } }
}
