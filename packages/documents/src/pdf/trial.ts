import { allocate, release } from './pdfium.ts'
import type { Pdfium } from './pdfium.ts'
import type { Limits } from '../base/limits.ts'

/** Kinds of objects of fpdf_edit.h. */
const type = { image: 3, shading: 4, form: 5 }
/** Annotations, gray, visibility as for printing, of fpdfview.h. */
const flags = 0x01 | 0x08 | 0x800
const grayFormat = 1
/** A picture of a page that costs nothing by its size: what takes long here takes longer on paper. */
const small = { width: 64, height: 83 }
/** These first pages are tried whatever they hold; later ones when they hold more than text, lines and pictures. */
const triedAnyway = 4
/** Objects that PDFium draws in a few milliseconds. */
const fewObjects = 2000

/**
 * Draws a page in miniature if anything about it may take long: a page that takes more than a worker's time or memory
 * ends the worker here, before anybody was promised its fax. Pictures are left out, unless they have more pixels than a
 * picture may have.
 */
export function tryPage(pdfium: Pdfium, page: number, index: number, limits: Limits): void {
  if (!mayTakeLong(pdfium, page, limits) && index >= triedAnyway) return
  const pixels = allocate(pdfium, small.width * small.height)
  const bitmap = pdfium.FPDFBitmap_CreateEx(small.width, small.height, grayFormat, pixels, small.width)
  try {
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, small.width, small.height, 0, flags)
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap)
    release(pdfium, pixels)
  }
}

/** Looks at the objects of a page, and takes its usual pictures out of the drawing. */
function mayTakeLong(pdfium: Pdfium, page: number, limits: Limits): boolean {
  const count = pdfium.FPDFPage_CountObjects(page)
  let isLong = count > fewObjects
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    const kind = pdfium.FPDFPageObj_GetType(object)
    const isUsual = kind === type.image && pixelsOf(pdfium, object) <= limits.pixels
    if (isUsual) pdfium.FPDFPageObj_SetIsActive(object, false)
    else isLong ||= kind === type.image || kind === type.form || kind === type.shading
  }
  return isLong
}

function pixelsOf(pdfium: Pdfium, image: number): number {
  const room = allocate(pdfium, 8)
  const isKnown = pdfium.FPDFImageObj_GetImagePixelSize(image, room, room + 4)
  const [width, height] = [pdfium.pdfium.HEAP32[room >> 2]!, pdfium.pdfium.HEAP32[(room >> 2) + 1]!]
  release(pdfium, room)
  return isKnown ? width * height : 0
}
