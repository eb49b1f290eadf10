import { checkJpxImages } from './jpx-size.ts'
import { checkPageSize, checkPages } from './limits.ts'
import type { Limits } from './limits.ts'
import { faxWidth } from './paper.ts'
import type { Placement, Resolution, Size } from './paper.ts'
import type { PageNote } from './page-notes.ts'
import { hasContent } from './pdf-content.ts'
import { brokenPdf, isSound } from './pdf-engine.ts'
import { mayHaveRareLetters, missingLetters } from './pdf-letters.ts'
import { savePdf } from './pdf-save.ts'
import { tryPage } from './pdf-trial.ts'
import { drawWidgets } from './pdf-widgets.ts'
import { allocate, release } from './pdfium.ts'
import type { Pdfium } from './pdfium.ts'
import { DocumentProblem } from './problem.ts'

/** FPDF_GetLastError of fpdfview.h. */
const errors = { password: 4, security: 5 }
/** Render flags of fpdfview.h: annotations, grey, visibility as for printing, and type without soft edges. */
const renderFlags = { annotations: 0x01, grey: 0x08, printing: 0x800, hardType: 0x1000 }
const greyFormat = 1
const white = 0xff

/** Grey pixels of a fax page, 0 is black: a view of PDFium's memory that is good until its next call. */
export interface GreyPage {
  pixels: Uint8Array
  width: number
  height: number
}

/** A PDF open in PDFium. Every method may throw a crash of PDFium: call them inside `guardPdfium`. */
export class PdfDocument {
  #pdfium: Pdfium
  #bytes: number
  #length: number
  #document: number
  #form = 0
  #formInfo = 0
  /** Its letters go beyond those of PDFium's own fonts. */
  #isWide = false
  #mayLackLetters: boolean | undefined
  #notes = new Map<number, PageNote[]>()
  readonly pages: number

  /** Opens a PDF. Throws `encrypted`, `broken` (also when it is cut off), `empty`, `too_many_pages` or `too_large`. */
  constructor(pdfium: Pdfium, file: Uint8Array, limits: Limits) {
    checkJpxImages(file, limits)
    this.#pdfium = pdfium
    const end = endOf(file)
    // Readers look for the end in the last bytes: what was put behind it is left away.
    const source = file.subarray(0, end)
    this.#length = source.length
    this.#bytes = allocate(pdfium, source.length)
    pdfium.pdfium.HEAPU8.set(source, this.#bytes)
    this.#document = pdfium.FPDF_LoadMemDocument(this.#bytes, source.length, '')
    try {
      if (this.#document === 0) throw openProblem(pdfium.FPDF_GetLastError(), end !== undefined)
      // PDFium repairs such a file from whatever is left, which would send a fax without its last pages.
      const intact = pdfium.FPDF_DocumentHasValidCrossReferenceTable(this.#document)
      if (!intact && end === undefined) throw cutOff()
      this.pages = pdfium.FPDF_GetPageCount(this.#document)
      if (this.pages === 0) {
        throw new DocumentProblem('empty', 'The PDF has no pages. Choose a document with something to send.')
      }
      checkPages(this.pages, limits)
    } catch (problem) {
      this.close()
      throw problem
    }
  }

  /** Sizes of all pages in points, turned as they are shown. Throws `broken` for a missing page, `too_large`. */
  measure(): Size[] {
    return Array.from({ length: this.pages }, (_, index) => this.#sizeOf(index))
  }

  #sizeOf(index: number): Size {
    const size = allocate(this.#pdfium, 8)
    const found = this.#pdfium.FPDF_GetPageSizeByIndexF(this.#document, index, size)
    const width = this.#pdfium.pdfium.HEAPF32[size >> 2] ?? 0
    const height = this.#pdfium.pdfium.HEAPF32[(size >> 2) + 1] ?? 0
    release(this.#pdfium, size)
    if (!found) throw new DocumentProblem('broken', `Page ${index + 1} of the PDF is missing. ${brokenPdf}`)
    checkPageSize(index + 1, width, height)
    return { width, height }
  }

  /**
   * Reads a page (counted from 0), and with `isTried` draws what may take long in miniature. Throws `broken` for one that
   * cannot be read.
   */
  check(index: number, isTried: boolean, limits: Limits): void {
    const page = this.#load(index)
    try {
      if (isTried) tryPage(this.#pdfium, page, index, limits)
    } finally {
      this.#pdfium.FPDF_ClosePage(page)
    }
  }

  /**
   * Renders a page (counted from 0) in grey on a white fax page of `rows` rows, and hands its pixels to `use`. Rows of
   * the standard resolution are too coarse for soft edges: there letters are fitted to the pixels, each one whole.
   */
  render<T>(
    index: number,
    place: Placement,
    rows: number,
    use: (grey: GreyPage) => T,
    resolution: Resolution = 'fine',
  ): T {
    const pdfium = this.#pdfium
    const length = faxWidth * rows
    const pixels = allocate(pdfium, length)
    const bitmap = pdfium.FPDFBitmap_CreateEx(faxWidth, rows, greyFormat, pixels, faxWidth)
    try {
      const drawIt = () => {
        pdfium.pdfium.HEAPU8.fill(white, pixels, pixels + length)
        return this.#drawPage(index, bitmap, place, resolution === 'standard' ? renderFlags.hardType : 0)
      }
      let notes = drawIt()
      if (notes.length > 0 && !this.#isWide) {
        this.#widen()
        notes = drawIt()
      }
      this.#notes.set(index, notes)
      return use({ pixels: pdfium.pdfium.HEAPU8.subarray(pixels, pixels + length), width: faxWidth, height: rows })
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap)
      release(pdfium, pixels)
    }
  }

  /** What is to be said of a page that was rendered. */
  notesOn(index: number): readonly PageNote[] {
    return this.#notes.get(index) ?? []
  }

  /** Whether a page (counted from 0) has anything that is seen when it is drawn. */
  hasContent(index: number): boolean {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, index)
    if (page === 0) return false
    try {
      return hasContent(this.#pdfium, page)
    } finally {
      this.#pdfium.FPDF_ClosePage(page)
    }
  }

  /** Puts all pages of another open document before its own; false when that fails. */
  putBefore(front: PdfDocument): boolean {
    const both = this.#pdfium.FPDF_GetPageCount(this.#document) + front.pages
    const imported = this.#pdfium.FPDF_ImportPages(this.#document, front.#document, '', 0)
    return imported && this.#pdfium.FPDF_GetPageCount(this.#document) === both
  }

  /** The whole file as it now is; undefined when it cannot be written. */
  save(): Uint8Array | undefined {
    return savePdf(this.#pdfium, this.#document)
  }

  close(): void {
    if (!isSound(this.#pdfium)) return
    this.#closeDocument()
    release(this.#pdfium, this.#bytes)
    this.#bytes = 0
  }

  #closeDocument(): void {
    if (this.#form !== 0) this.#pdfium.FPDFDOC_ExitFormFillEnvironment(this.#form)
    if (this.#formInfo !== 0) release(this.#pdfium, this.#formInfo)
    if (this.#document !== 0) this.#pdfium.FPDF_CloseDocument(this.#document)
    this.#document = this.#form = this.#formInfo = 0
  }

  #load(index: number): number {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, index)
    if (page !== 0) return page
    throw new DocumentProblem('broken', `Page ${index + 1} of the PDF cannot be read. ${brokenPdf}`)
  }

  #source(): Uint8Array {
    return this.#pdfium.pdfium.HEAPU8.subarray(this.#bytes, this.#bytes + this.#length)
  }

  /** Draws a page and finds the letters that it lacks. */
  #drawPage(index: number, bitmap: number, place: Placement, type: number): PageNote[] {
    const pdfium = this.#pdfium
    Object.assign(pdfium.fonts, { isWide: this.#isWide, wereMade: false })
    const page = this.#load(index)
    const held = this.#holdAnnotations(page)
    pdfium.fonts.isDrawing = true
    try {
      this.#drawLayers(bitmap, page, place, type)
      if (pdfium.fonts.wereMade) this.#mayLackLetters ??= mayHaveRareLetters(this.#source())
      return this.#mayLackLetters ? missingLetters(pdfium, page) : []
    } finally {
      pdfium.fonts.isDrawing = false
      for (const annotation of held) pdfium.FPDFPage_CloseAnnot(annotation)
      pdfium.FPDF_ClosePage(page)
    }
  }

  /** Opens the document anew, so that its fonts are asked for again. */
  #widen(): void {
    this.#isWide = true
    this.#closeDocument()
    this.#document = this.#pdfium.FPDF_LoadMemDocument(this.#bytes, this.#length, '')
  }

  /** Reads the fonts of annotations before they are drawn: what is asked for while drawing is single letters. */
  #holdAnnotations(page: number): number[] {
    const pdfium = this.#pdfium
    const count = pdfium.FPDFPage_GetAnnotCount(page)
    const annotations = Array.from({ length: count }, (_, index) => pdfium.FPDFPage_GetAnnot(page, index))
    for (const annotation of annotations) pdfium.FPDFAnnot_GetObjectCount(annotation)
    return annotations
  }

  #drawLayers(bitmap: number, page: number, place: Placement, type: number): void {
    const pdfium = this.#pdfium
    const area = [place.left, place.top, place.width, place.height, place.turned ? 1 : 0] as const
    const flags = renderFlags.grey | renderFlags.printing | type
    pdfium.FPDF_RenderPageBitmap(bitmap, page, ...area, flags | renderFlags.annotations)
    const form = this.#openForm()
    if (form === 0) {
      drawWidgets(pdfium, bitmap, page, place, flags)
      return
    }
    pdfium.FORM_OnAfterLoadPage(page, form)
    pdfium.FPDF_FFLDraw(form, bitmap, page, ...area, flags)
    pdfium.FORM_OnBeforeClosePage(page, form)
  }

  /** The form environment, without which fields that were filled in are not drawn; 0 when there is no form. */
  #openForm(): number {
    if (this.#form !== 0 || this.#pdfium.FPDF_GetFormType(this.#document) === 0) return this.#form
    // FPDF_FORMFILLINFO of fpdf_formfill.h, version 2, with no callbacks: nothing here reacts to a form.
    const length = 256
    this.#formInfo = allocate(this.#pdfium, length)
    this.#pdfium.pdfium.HEAPU8.fill(0, this.#formInfo, this.#formInfo + length)
    this.#pdfium.pdfium.HEAP32[this.#formInfo >> 2] = 2
    this.#form = this.#pdfium.FPDFDOC_InitFormFillEnvironment(this.#document, this.#formInfo)
    return this.#form
  }
}

function openProblem(error: number, hasEnd: boolean): DocumentProblem {
  if (error === errors.password) {
    return new DocumentProblem(
      'encrypted',
      'The PDF is protected by a password. Save it without one and send that file.',
    )
  }
  if (error === errors.security) {
    return new DocumentProblem(
      'encrypted',
      'The PDF is encrypted in a way that cannot be opened. Print it to a new PDF.',
    )
  }
  return hasEnd ? new DocumentProblem('broken', brokenPdf) : cutOff()
}

/**
 * Where a file ends: behind its last end-of-file mark (ISO 32000-1, 7.5.5), whatever was put behind that. Undefined when
 * there is none, or when objects follow: the file is cut off, and the mark is that of an earlier part.
 */
function endOf(file: Uint8Array): number | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const mark = bytes.lastIndexOf('%%EOF')
  if (mark < 0) return undefined
  const end = mark + '%%EOF'.length
  return bytes.includes(' obj', end) ? undefined : end
}

function cutOff(): DocumentProblem {
  return new DocumentProblem(
    'broken',
    'The PDF is damaged or cut off: its end is missing. Upload the whole file again.',
  )
}
