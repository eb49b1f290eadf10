import { integersOf, kindOf, kinds, objectsOn } from './page-objects.ts'
import { type Pdfium, withBitmap } from './pdfium.ts'
import type { Limits } from '../base/limits.ts'

/** Annotations, gray, visibility as for printing, of fpdfview.h. */
const flags = 0x01 | 0x08 | 0x800
/** A picture of a page that costs nothing by its size: what takes long here takes longer on paper. */
const small = { width: 64, height: 83 }

/**
 * Draws a page in miniature: a page that takes more than a worker's time or memory ends the worker here, before anybody
 * was promised its fax. Pictures are left out, unless they have more pixels than a picture may have.
 */
export function tryPage(pdfium: Pdfium, page: number, limits: Limits): void {
  for (const object of objectsOn(pdfium, page)) {
    const isUsual = kindOf(pdfium, object) === kinds.image && pixelsOf(pdfium, object) <= limits.pixels
    if (isUsual) pdfium.FPDFPageObj_SetIsActive(object, false)
  }
  withBitmap(pdfium, small, (bitmap) => {
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, small.width, small.height, 0, flags)
  })
}

function pixelsOf(pdfium: Pdfium, image: number): number {
  const isKnown = pdfium.FPDFImageObj_GetImagePixelSize(image, pdfium.room, pdfium.room + 4)
  const [width = 0, height = 0] = integersOf(pdfium, 2)
  return isKnown ? width * height : 0
}
