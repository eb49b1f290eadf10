import { allocate, release } from './pdfium.ts'
import type { Pdfium } from './pdfium.ts'
import type { Limits } from '../base/limits.ts'

/** Of fpdf_edit.h. */
const image = 3
/** Annotations, gray, visibility as for printing, of fpdfview.h. */
const flags = 0x01 | 0x08 | 0x800
const grayFormat = 1
/** A picture of a page that costs nothing by its size: what takes long here takes longer on paper. */
const small = { width: 64, height: 83 }

/**
 * Draws a page in miniature: a page that takes more than a worker's time or memory ends the worker here, before anybody
 * was promised its fax. Pictures are left out, unless they have more pixels than a picture may have.
 */
export function tryPage(pdfium: Pdfium, page: number, limits: Limits): void {
  const count = pdfium.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    const isUsual = pdfium.FPDFPageObj_GetType(object) === image && pixelsOf(pdfium, object) <= limits.pixels
    if (isUsual) pdfium.FPDFPageObj_SetIsActive(object, false)
  }
  const pixels = allocate(pdfium, small.width * small.height)
  const bitmap = pdfium.FPDFBitmap_CreateEx(small.width, small.height, grayFormat, pixels, small.width)
  try {
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, small.width, small.height, 0, flags)
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap)
    release(pdfium, pixels)
  }
}

function pixelsOf(pdfium: Pdfium, object: number): number {
  const room = allocate(pdfium, 8)
  const isKnown = pdfium.FPDFImageObj_GetImagePixelSize(object, room, room + 4)
  const [width, height] = [pdfium.pdfium.HEAP32[room >> 2]!, pdfium.pdfium.HEAP32[(room >> 2) + 1]!]
  release(pdfium, room)
  return isKnown ? width * height : 0
}
