import type { Placement } from '../raster/paper.ts'
import { allocate, type Pdfium } from './pdfium.ts'

/** Of fpdf_annot.h. */
const widget = 20
const flags = { hidden: 0x02, printed: 0x04 }
const asItIs = 0

/**
 * Draws the fields of a page whose document has no form, as when a page was taken out of one: PDFium draws fields as
 * parts of forms only.
 */
export function drawWidgets(pdfium: Pdfium, bitmap: number, page: number, place: Placement, how: number): void {
  const count = pdfium.FPDFPage_GetAnnotCount(page)
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const isSeen = (pdfium.FPDFAnnot_GetFlags(annotation) & (flags.hidden | flags.printed)) === flags.printed
    if (pdfium.FPDFAnnot_GetSubtype(annotation) === widget && isSeen) {
      writeMatrix(pdfium, page, place)
      pdfium.EPDF_RenderAnnotBitmap(bitmap, page, annotation, asItIs, pdfium.room, how)
    }
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
}

/** Writes FS_MATRIX of fpdfview.h into `room`: from points of the page, counted downwards from its corner, to pixels. */
function writeMatrix(pdfium: Pdfium, page: number, { left, top, width, height, turned }: Placement): void {
  const across = pdfium.FPDF_GetPageWidthF(page)
  const down = pdfium.FPDF_GetPageHeightF(page)
  const upright = [width / across, 0, 0, height / down, left, top]
  const clockwise = [0, height / across, -width / down, 0, left + width, top]
  pdfium.pdfium.HEAPF32.set(turned ? clockwise : upright, pdfium.room >> 2)
}

/**
 * Opens the form environment of a document, without which fields that were filled in are not drawn, and tells where what
 * it was asked with lies in memory, to be released; both are 0 when there is no form.
 */
export function openForm(pdfium: Pdfium, document: number): [form: number, info: number] {
  if (pdfium.FPDF_GetFormType(document) === 0) return [0, 0]
  // FPDF_FORMFILLINFO of fpdf_formfill.h, version 2, with no callbacks: nothing here reacts to a form.
  const length = 256
  const info = allocate(pdfium, length)
  pdfium.pdfium.HEAPU8.fill(0, info, info + length)
  pdfium.pdfium.HEAP32[info >> 2] = 2
  return [pdfium.FPDFDOC_InitFormFillEnvironment(document, info), info]
}
