import { brokenPdf } from './engine.ts'
import { readAnnotations, withNotes } from './read-annotations.ts'
import type { Pdfium } from './pdfium.ts'
import { DocumentProblem } from '../base/problem.ts'

/** Changes the pages of an open document, which count from 0. Every method may throw `broken`; call them inside `guardPdfium`. */
export class PdfEditor {
  readonly #pdfium: Pdfium
  readonly #document: number

  /** What is to be known of its pages: that the file was repaired. */
  #notes: Set<string>

  constructor(pdfium: Pdfium, document: number, notes: Iterable<string> = []) {
    this.#pdfium = pdfium
    this.#document = document
    this.#notes = new Set(notes)
  }

  /** Whether it is encrypted or signed: what is written again is neither any more. */
  get isSealed(): boolean {
    return this.#pdfium.EPDF_IsEncrypted(this.#document) || this.#pdfium.FPDF_GetSignatureCount(this.#document) > 0
  }

  /** Whether other files are attached to it. */
  get hasAttachments(): boolean {
    return this.#pdfium.FPDFDoc_GetAttachmentCount(this.#document) > 0
  }

  /** Puts all pages of another document before its own. */
  putBefore(front: PdfEditor): void {
    const count = (document: number) => this.#pdfium.FPDF_GetPageCount(document)
    const both = count(this.#document) + count(front.#document)
    const imported = this.#pdfium.FPDF_ImportPages(this.#document, front.#document, '', 0)
    if (!imported || count(this.#document) !== both) throw notWritten()
    for (const note of front.#notes) this.#notes.add(note)
  }

  /** Puts a page of another document in the place of one of its own. */
  replacePage(index: number, from: PdfEditor, page: number): void {
    const { pdfium, room } = this.#pdfium
    pdfium.HEAP32[room >> 2] = page
    if (!this.#pdfium.FPDF_ImportPagesByIndex(this.#document, from.#document, room, 1, index)) throw notWritten()
    this.#pdfium.FPDFPage_Delete(this.#document, index + 1)
  }

  /** Turns a page by quarters to the right, as viewers show it. */
  turnPage(index: number, quarters: number): void {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, index)
    if (page === 0) throw notWritten()
    this.#pdfium.FPDFPage_SetRotation(page, (this.#pdfium.FPDFPage_GetRotation(page) + quarters) % 4)
    this.#pdfium.FPDF_ClosePage(page)
  }

  /** Some pages, `to` not included, as a new file. Dropping the others could leave what is on them in the file. */
  copied(from: number, to: number): Uint8Array {
    const copy = this.#pdfium.FPDF_CreateNewDocument()
    if (copy === 0) throw notWritten()
    try {
      if (!this.#pdfium.FPDF_ImportPages(copy, this.#document, `${from + 1}-${to}`, 0)) throw notWritten()
      return new PdfEditor(this.#pdfium, copy, this.#notes).saved()
    } finally {
      this.#pdfium.FPDF_CloseDocument(copy)
    }
  }

  dropPage(index: number): void {
    this.#pdfium.FPDFPage_Delete(this.#document, index)
  }

  /** The whole file as it now is. */
  saved(): Uint8Array {
    const bytes = savePdf(this.#pdfium, this.#document)
    if (!bytes) throw notWritten()
    if (this.#notes.size === 0) return bytes
    return withNotes(bytes, [...readAnnotations(this.#pdfium, this.#document), ...this.#notes])
  }
}

const notWritten = () => new DocumentProblem('broken', `The pages of this PDF cannot be changed. ${brokenPdf}`)

/** FPDF_REMOVE_SECURITY of fpdf_save.h: the whole file again, without the encryption that a document may have had. */
const wholeFile = 3

/** The bytes of an open document as PDFium writes them; undefined when it cannot. Call it inside `guardPdfium`. */
function savePdf(pdfium: Pdfium, document: number): Uint8Array | undefined {
  const runtime = pdfium.pdfium
  const blocks: Uint8Array[] = []
  const writeBlock = runtime.addFunction((_self, pointer = 0, length = 0) => {
    blocks.push(runtime.HEAPU8.slice(pointer, pointer + length))
    return 1
  }, 'iiii')
  // FPDF_FILEWRITE of fpdf_save.h: version 1, then the function that takes the blocks.
  runtime.HEAP32.set([1, writeBlock], pdfium.room >> 2)
  try {
    return pdfium.FPDF_SaveAsCopy(document, pdfium.room, wholeFile) ? Buffer.concat(blocks) : undefined
  } finally {
    runtime.removeFunction(writeBlock)
  }
}
