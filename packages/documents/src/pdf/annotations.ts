import type { PageNote } from '../raster/page-notes.ts'
import type { Pdfium } from './pdfium.ts'

/** Of fpdf_annot.h. */
const flags = { hidden: 0x02, printed: 0x04, unseen: 0x20 }
const widget = 20
/** What people write, draw and stamp on pages, and what they cover up. Highlighting takes away no word. */
const marks: ReadonlySet<number> = new Set([3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 28])
/** An empty text in UTF-16 with its end. */
const emptyText = 2

/** Reads the fonts of annotations before they are drawn: what is asked for while drawing is single letters. */
export function holdAnnotations(pdfium: Pdfium, page: number): number[] {
  const count = pdfium.FPDFPage_GetAnnotCount(page)
  const annotations = Array.from({ length: count }, (_, index) => pdfium.FPDFPage_GetAnnot(page, index))
  for (const annotation of annotations) pdfium.FPDFAnnot_GetObjectCount(annotation)
  return annotations
}

/**
 * What viewers show of a page and printers, of which a fax is one, do not: marks
 * and filled fields that are not for print. The fields of a form are drawn in any case.
 */
export function notesOfUnprinted(pdfium: Pdfium, annotations: readonly number[], isForm: boolean): PageNote[] {
  if (!annotations.some((annotation) => annotation !== 0 && isSeenOnly(pdfium, annotation, isForm))) return []
  const text =
    'The file keeps some notes, marks or form fields of this page from being printed: they are not on the fax. Print the PDF to a new PDF to check what is left.'
  return [{ kind: 'left_out', text }]
}

function isSeenOnly(pdfium: Pdfium, annotation: number, isForm: boolean): boolean {
  const set = pdfium.FPDFAnnot_GetFlags(annotation)
  if ((set & (flags.hidden | flags.printed | flags.unseen)) !== 0) return false
  const subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
  return marks.has(subtype) || (subtype === widget && !isForm && isFilled(pdfium, annotation))
}

/** Whether text was entered in a field: buttons have none. */
const isFilled = (pdfium: Pdfium, annotation: number) =>
  pdfium.FPDFAnnot_GetStringValue(annotation, 'V', 0, 0) > emptyText
