import { checkPageSize, checkPages } from './limits.ts'
import type { Limits } from './limits.ts'
import { faxWidth } from './paper.ts'
import type { Placement, Size } from './paper.ts'
import { brokenPdf, isSound } from './pdf-engine.ts'
import type { Pdfium } from './pdf-engine.ts'
import { savePdf } from './pdf-save.ts'
import { DocumentProblem } from './problem.ts'

/** FPDF_GetLastError of fpdfview.h. */
const errors = { password: 4, security: 5 }
/** Render flags of fpdfview.h: annotations, grey, and visibility as for printing. */
const renderFlags = { annotations: 0x01, grey: 0x08, printing: 0x800 }
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
  #document: number
  #form = 0
  #formInfo = 0
  readonly pages: number

  /** Opens a PDF. Throws `encrypted`, `broken` (also when it is cut off), `empty` or `too_many_pages`. */
  constructor(pdfium: Pdfium, source: Uint8Array, limits: Limits) {
    this.#pdfium = pdfium
    this.#bytes = allocate(pdfium, source.length)
    pdfium.HEAPU8.set(source, this.#bytes)
    this.#document = pdfium._FPDF_LoadMemDocument(this.#bytes, source.length, 0)
    try {
      if (this.#document === 0) throw openProblem(pdfium._FPDF_GetLastError(), source)
      // PDFium repairs such a file from whatever is left, which would send a fax without its last pages.
      const intact = pdfium._FPDF_DocumentHasValidCrossReferenceTable(this.#document) !== 0
      if (!intact && !hasEnd(source)) throw cutOff()
      this.pages = pdfium._FPDF_GetPageCount(this.#document)
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
    const found = this.#pdfium._FPDF_GetPageSizeByIndexF(this.#document, index, size)
    const width = this.#pdfium.HEAPF32[size >> 2] ?? 0
    const height = this.#pdfium.HEAPF32[(size >> 2) + 1] ?? 0
    this.#pdfium.wasmExports.free(size)
    if (!found) throw new DocumentProblem('broken', `Page ${index + 1} of the PDF is missing. ${brokenPdf}`)
    checkPageSize(index + 1, width, height)
    return { width, height }
  }

  /** Renders a page (counted from 0) in grey on a white fax page of `rows` rows, and hands its pixels to `use`. */
  render<T>(index: number, place: Placement, rows: number, use: (grey: GreyPage) => T): T {
    const pdfium = this.#pdfium
    const page = pdfium._FPDF_LoadPage(this.#document, index)
    if (page === 0) throw new DocumentProblem('broken', `Page ${index + 1} of the PDF cannot be read. ${brokenPdf}`)
    const length = faxWidth * rows
    const pixels = allocate(pdfium, length)
    const bitmap = pdfium._FPDFBitmap_CreateEx(faxWidth, rows, greyFormat, pixels, faxWidth)
    try {
      pdfium.HEAPU8.fill(white, pixels, pixels + length)
      this.#draw(bitmap, page, place)
      return use({ pixels: pdfium.HEAPU8.subarray(pixels, pixels + length), width: faxWidth, height: rows })
    } finally {
      pdfium._FPDFBitmap_Destroy(bitmap)
      pdfium.wasmExports.free(pixels)
      pdfium._FPDF_ClosePage(page)
    }
  }

  /** Puts all pages of another open document before its own; false when that fails. */
  putBefore(front: PdfDocument): boolean {
    const both = this.pages + front.pages
    const imported = this.#pdfium._FPDF_ImportPages(this.#document, front.#document, 0, 0) !== 0
    return imported && this.#pdfium._FPDF_GetPageCount(this.#document) === both
  }

  /** The whole file as it now is; undefined when it cannot be written. */
  save(): Uint8Array | undefined {
    return savePdf(this.#pdfium, this.#document)
  }

  close(): void {
    if (!isSound(this.#pdfium)) return
    if (this.#form !== 0) this.#pdfium._FPDFDOC_ExitFormFillEnvironment(this.#form)
    if (this.#formInfo !== 0) this.#pdfium.wasmExports.free(this.#formInfo)
    if (this.#document !== 0) this.#pdfium._FPDF_CloseDocument(this.#document)
    this.#pdfium.wasmExports.free(this.#bytes)
    this.#document = this.#form = this.#formInfo = this.#bytes = 0
  }

  #draw(bitmap: number, page: number, place: Placement): void {
    const area = [place.left, place.top, place.width, place.height, place.turned ? 1 : 0] as const
    const flags = renderFlags.grey | renderFlags.printing
    this.#pdfium._FPDF_RenderPageBitmap(bitmap, page, ...area, flags | renderFlags.annotations)
    const form = this.#openForm()
    if (form === 0) return
    this.#pdfium._FORM_OnAfterLoadPage(page, form)
    this.#pdfium._FPDF_FFLDraw(form, bitmap, page, ...area, flags)
    this.#pdfium._FORM_OnBeforeClosePage(page, form)
  }

  /** The form environment, without which fields that were filled in are not drawn; 0 when there is no form. */
  #openForm(): number {
    if (this.#form !== 0 || this.#pdfium._FPDF_GetFormType(this.#document) === 0) return this.#form
    // FPDF_FORMFILLINFO of fpdf_formfill.h, version 2, with no callbacks: nothing here reacts to a form.
    const length = 256
    this.#formInfo = allocate(this.#pdfium, length)
    this.#pdfium.HEAPU8.fill(0, this.#formInfo, this.#formInfo + length)
    this.#pdfium.HEAP32[this.#formInfo >> 2] = 2
    this.#form = this.#pdfium._FPDFDOC_InitFormFillEnvironment(this.#document, this.#formInfo)
    return this.#form
  }
}

function allocate(pdfium: Pdfium, bytes: number): number {
  const pointer = pdfium.wasmExports.malloc(bytes)
  if (pointer === 0) throw new WebAssembly.RuntimeError('PDFium has no memory left.')
  return pointer
}

function openProblem(error: number, source: Uint8Array): DocumentProblem {
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
  return hasEnd(source) ? new DocumentProblem('broken', brokenPdf) : cutOff()
}

/** Whether the end-of-file mark of ISO 32000-1, 7.5.5 is where readers look for it. */
function hasEnd(source: Uint8Array): boolean {
  return Buffer.from(source.buffer, source.byteOffset, source.length).subarray(-4096).includes('%%EOF')
}

function cutOff(): DocumentProblem {
  return new DocumentProblem(
    'broken',
    'The PDF is damaged or cut off: its end is missing. Upload the whole file again.',
  )
}
