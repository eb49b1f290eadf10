import { PdfDocument } from '../pdf/document.ts'
import { guardPdfium, shedMemory, startPdfium } from '../pdf/engine.ts'
import { wordsOnPage } from '../pdf/page-words.ts'
import { WrittenPdf } from '../pdf-file/written-pdf.ts'
import { pageFit, type Paper } from '../raster/paper.ts'
import { type LongPages, overlap, planSheets, type Sheet } from '../raster/sheets.ts'
import type { Limits } from '../base/limits.ts'
import { mergeWords, type PageWord } from '../raster/page-text.ts'
import { fromFaxPage, type PlacedWords, shifted } from './placed-words.ts'
import { rebuildPages } from './rebuilt-pages.ts'
import { writeLayers } from './text-layer.ts'

/** How the fax pages were laid out on which the words were read. */
export interface ReadOn {
  paper: Paper
  longPages: LongPages
  limits: Limits
}

/**
 * A PDF of another program with the words of its fax pages as text that cannot be seen. Where each page is nothing but a
 * gray or black and white picture, it is written again and says that it is PDF/A-2u, which it then is; else it gets the
 * words that it does not have itself, and what it says of standards that it follows is taken back. Undefined for one that
 * is encrypted or signed, has other pages, or all the words already. Throws what opening a PDF throws.
 */
export async function addForeignLayer(
  file: Uint8Array,
  pages: readonly (readonly PageWord[])[],
  on: ReadOn,
): Promise<Uint8Array | undefined> {
  const pdfium = await startPdfium()
  try {
    return guardPdfium(() => {
      const document = new PdfDocument(pdfium, file, on.limits)
      try {
        return layer(document, file, { pages, on })
      } finally {
        document.close()
      }
    })
  } finally {
    shedMemory()
  }
}

function layer(
  document: PdfDocument,
  file: Uint8Array,
  { pages, on }: { pages: readonly (readonly PageWord[])[]; on: ReadOn },
): Uint8Array | undefined {
  const sheets = planSheets(document.measure(), on.paper, pageFit, on.longPages)
  if (document.editor.isSealed || sheets.length !== pages.length) return undefined
  const parts = sheets.map((sheet, index) => {
    const words = wordsOfSheet(sheet, sheets, index, pages[index] ?? [])
    return placeWords(document, sheet, words)
  })
  if (!parts.some((part) => part && part.added.length > 0)) return undefined
  const byPage = (which: 'words' | 'added'): PlacedWords[][] =>
    Array.from({ length: document.pages }, (_, page) =>
      parts.flatMap((part, index) =>
        part && sheets[index]?.page === page ? [{ words: part[which], toPage: part.toPage }] : [],
      ),
    )
  const rebuilt = rebuildPages(document, file)
  if (rebuilt) {
    const placed = byPage('words').map((on, page) => {
      const { left = 0, bottom = 0 } = rebuilt.boxes[page] ?? {}
      return on.map(({ words, toPage }) => ({ words, toPage: shifted(toPage, -left, -bottom) }))
    })
    return written(rebuilt.pdf, placed, true)
  }
  return written(document.editor.saved(), byPage('added'), false)
}

function written(file: Uint8Array, placed: readonly (readonly PlacedWords[])[], isArchive: boolean) {
  const pdf = Buffer.from(file.buffer, file.byteOffset, file.length)
  const found = WrittenPdf.read(pdf)
  return found && writeLayers(pdf, found, placed, isArchive)
}

/** All words of a sheet, those that its page does not have itself, and where they lie on the page. */
function placeWords(document: PdfDocument, sheet: Sheet, words: readonly PageWord[]) {
  const { place, rows } = sheet.place('fine')
  const found = document.look(sheet.page, (pdfium, page) => ({
    own: wordsOnPage(pdfium, page, place, rows).words,
    toPage: fromFaxPage(pdfium, page, place, rows),
  }))
  if (!found) return undefined
  const { own, toPage } = found
  return { words, added: mergeWords(own, words).slice(own.length), toPage }
}

/** Of a long page, what two sheets share counts half for the one and half for the other. */
function wordsOfSheet(sheet: Sheet, sheets: readonly Sheet[], index: number, words: readonly PageWord[]): PageWord[] {
  const { rows } = sheet.place('fine')
  const from = sheets[index - 1]?.page === sheet.page ? overlap / 2 : -Infinity
  const to = sheets[index + 1]?.page === sheet.page ? rows - overlap / 2 : Infinity
  return words.filter(({ top, height }) => {
    const middle = (top + height / 2) * rows
    return middle >= from && middle < to
  })
}
