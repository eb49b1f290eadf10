import { checkJpxImages } from '../images/jpx-size.ts'
import { checkPageSize, checkPages, type Limits } from '../base/limits.ts'
import { faxWidth, type Placement, type Resolution, type Size } from '../raster/paper.ts'
import { repairedFile, type PageNote } from '../raster/page-notes.ts'
import { PageChecker } from '../pdf-file/check-page.ts'
import { PdfEditor } from './edit.ts'
import { holdAnnotations, notesOfUnprinted } from './annotations.ts'
import { noteAttached, readAnnotations } from './read-annotations.ts'
import { checkForm } from './end.ts'
import { loadPdf } from './load-pdf.ts'
import { brokenPdf, isSound } from './engine.ts'
import { mayHaveRareLetters, missingLetters } from './letters.ts'
import { findLargePictures, hasLarge, putPictures, type LargePicture, type Shrunk } from './pictures/large-pictures.ts'
import { findPictures, type FrailPictures } from './pictures/frail-pictures.ts'
import { readScan, type Scan } from './pictures/scan.ts'
import { findScanImages, type ScanImages } from './pictures/scan-images.ts'
import { tryPage } from './trial.ts'
import { closeGaps, mayHaveType } from './type.ts'
import { drawWidgets, openForm } from './widgets.ts'
import { floatsOf } from './page-objects.ts'
import { allocate, release, type Pdfium } from './pdfium.ts'
import { DocumentProblem } from '../base/problem.ts'

/** Render flags of fpdfview.h: annotations, gray, visibility as for printing, and type without soft edges. */
const renderFlags = { annotations: 0x01, gray: 0x08, printing: 0x800, hardType: 0x1000 }
const grayFormat = 1
const white = 0xff

/** Gray pixels of a fax page, 0 is black: a view of PDFium's memory that is good until its next call. */
export interface GrayPage {
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
  /** Of the page that was drawn last, as are its pictures. */
  #unprinted: PageNote[] = []
  #frail: FrailPictures = { undrawn: [], coded: [] }
  #scanImages: ScanImages | undefined
  #editor: PdfEditor | undefined
  readonly pages: number
  /** What its pages are drawn of. */
  readonly parts: PageChecker
  /** It was repaired, or not all of it can be read. */
  readonly isDamaged: boolean

  /** Opens a PDF. Throws `encrypted`, `broken` (also when it is cut off), `empty`, `too_many_pages` or `too_large`. */
  constructor(pdfium: Pdfium, file: Uint8Array, limits: Limits) {
    checkJpxImages(file, limits)
    this.#pdfium = pdfium
    const { bytes, length, document, objects, isRepaired } = loadPdf(pdfium, file)
    this.#bytes = bytes
    this.#length = length
    this.#document = document
    try {
      this.pages = pdfium.FPDF_GetPageCount(document)
      if (this.pages === 0) {
        throw new DocumentProblem('empty', 'The PDF has no pages. Choose another file.')
      }
      checkPages(this.pages, limits)
      checkForm(pdfium, document)
      this.parts = new PageChecker(objects, limits)
      this.isDamaged = isRepaired || this.parts.lacksPages(this.pages)
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
    const found = this.#pdfium.FPDF_GetPageSizeByIndexF(this.#document, index, this.#pdfium.room)
    const [width = 0, height = 0] = floatsOf(this.#pdfium, 2)
    if (!found) throw new DocumentProblem('broken', `Page ${index + 1} of the PDF is missing. ${brokenPdf}`)
    checkPageSize(index + 1, width, height)
    return { width, height }
  }

  /** Reads a page (counted from 0), and with `isTried` draws it in miniature. Throws `broken` for one that cannot be read. */
  tryPage(index: number, isTried: boolean, limits: Limits): void {
    const page = this.#load(index)
    try {
      if (isTried) tryPage(this.#pdfium, page, limits)
    } finally {
      this.#pdfium.FPDF_ClosePage(page)
    }
  }

  /**
   * Renders a page (counted from 0) in gray on a white fax page of `rows` rows, and hands its pixels to `use`. Rows of
   * the standard resolution are too coarse for soft edges: there letters are fitted to the pixels, each one whole, and
   * drawn once more to close their gaps.
   */
  render<T>(
    index: number,
    place: Placement,
    rows: number,
    use: (gray: GrayPage) => T,
    resolution: Resolution = 'fine',
    shrunk: Shrunk = [],
  ): T {
    const pdfium = this.#pdfium
    const length = faxWidth * rows
    const layers = resolution === 'standard' ? 2 : 1
    const pixels = allocate(pdfium, layers * length)
    const bitmaps = Array.from({ length: layers }, (_, layer) =>
      pdfium.FPDFBitmap_CreateEx(faxWidth, rows, grayFormat, pixels + layer * length, faxWidth),
    )
    const layer = (number: number) =>
      pdfium.pdfium.HEAPU8.subarray(pixels + number * length, pixels + (number + 1) * length)
    try {
      const drawIt = () => {
        pdfium.pdfium.HEAPU8.fill(white, pixels, pixels + layers * length)
        return this.#drawPage(index, bitmaps, place, shrunk)
      }
      let notes = drawIt()
      if (notes.length > 0 && !this.#isWide) {
        this.#widen()
        notes = drawIt()
      }
      this.#notes.set(index, [...notes, ...this.#unprinted])
      if (layers === 2) closeGaps(layer(0), layer(1), faxWidth, rows)
      return use({ pixels: layer(0), width: faxWidth, height: rows })
    } finally {
      for (const bitmap of bitmaps) pdfium.FPDFBitmap_Destroy(bitmap)
      release(pdfium, pixels)
    }
  }

  /** What its pages lack: what the PDF itself keeps about that, and the files attached to it. */
  readAnnotations(): string[] {
    return [...readAnnotations(this.#pdfium, this.#document), ...noteAttached(this.#pdfium, this.#document)]
  }

  /** What is to be said of a page that was rendered. */
  notesOn(index: number): readonly PageNote[] {
    return this.#notes.get(index) ?? []
  }

  /** The image that a page (counted from 0) consists of; undefined when the page has to be drawn. */
  scan(index: number): Scan | undefined {
    const images = this.#imagesOfScans()
    const hasAny = [...images.values()].some((sizes) => sizes.size > 0)
    return hasAny ? this.look(index, (pdfium, page) => readScan(pdfium, page, images)) : undefined
  }

  /** Pictures of a page (counted from 0) that have many more pixels than are shown of them: to be shrunk for `render`. */
  largePictures(index: number, place: Placement): LargePicture[] {
    const images = this.#imagesOfScans()
    if (!hasLarge(images)) return []
    return this.look(index, (pdfium, page) => findLargePictures(pdfium, page, place, images)) ?? []
  }

  /** Pictures of the page that was rendered last which are drawn in part or not at all when they are damaged. */
  get frailPictures(): FrailPictures {
    return this.#frail
  }

  /** What `look` finds on a page (counted from 0); undefined when the page cannot be read. */
  look<T>(index: number, look: (pdfium: Pdfium, page: number) => T): T | undefined {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, index)
    if (page === 0) return undefined
    try {
      return look(this.#pdfium, page)
    } finally {
      this.#pdfium.FPDF_ClosePage(page)
    }
  }

  /** What changes its pages and writes it. */
  get editor(): PdfEditor {
    const notes = this.isDamaged ? [repairedFile.text] : []
    return (this.#editor ??= new PdfEditor(this.#pdfium, this.#document, notes))
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
    this.#editor = undefined
  }

  #load(index: number): number {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, index)
    if (page !== 0) return page
    throw new DocumentProblem('broken', `Page ${index + 1} of the PDF cannot be read. ${brokenPdf}`)
  }

  #imagesOfScans(): ScanImages {
    return (this.#scanImages ??= findScanImages(this.#source()))
  }

  #source(): Uint8Array {
    return this.#pdfium.pdfium.HEAPU8.subarray(this.#bytes, this.#bytes + this.#length)
  }

  /** Draws a page, with type fitted to the pixels when there is a second bitmap for it, and finds the letters it lacks. */
  #drawPage(index: number, [bitmap = 0, soft]: readonly number[], place: Placement, shrunk: Shrunk): PageNote[] {
    const pdfium = this.#pdfium
    Object.assign(pdfium.fonts, { isWide: this.#isWide, wereMade: false })
    const page = this.#load(index)
    putPictures(pdfium, page, shrunk)
    const held = holdAnnotations(pdfium, page)
    this.#unprinted = notesOfUnprinted(pdfium, held, pdfium.FPDF_GetFormType(this.#document) !== 0)
    pdfium.fonts.isDrawing = true
    try {
      this.#drawLayers(bitmap, page, place, soft === undefined ? 0 : renderFlags.hardType)
      if (soft !== undefined && mayHaveType(pdfium, page)) this.#drawLayers(soft, page, place, 0)
      this.#frail = findPictures(pdfium, page, place, this.#imagesOfScans())
      if (pdfium.fonts.wereMade) this.#mayLackLetters ??= mayHaveRareLetters(this.#source())
      return this.#mayLackLetters ? missingLetters(pdfium, page) : []
    } finally {
      pdfium.fonts.isDrawing = false
      for (const annotation of held) pdfium.FPDFPage_CloseAnnot(annotation)
      pdfium.FPDF_ClosePage(page)
    }
  }

  /** Opens the document again, so that its fonts are asked for again. */
  #widen(): void {
    this.#isWide = true
    this.#closeDocument()
    this.#document = this.#pdfium.FPDF_LoadMemDocument(this.#bytes, this.#length, '')
  }

  #drawLayers(bitmap: number, page: number, place: Placement, type: number): void {
    const pdfium = this.#pdfium
    const area = [place.left, place.top, place.width, place.height, place.turned ? 1 : 0] as const
    const flags = renderFlags.gray | renderFlags.printing | type
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

  #openForm(): number {
    if (this.#form === 0) [this.#form, this.#formInfo] = openForm(this.#pdfium, this.#document)
    return this.#form
  }
}
