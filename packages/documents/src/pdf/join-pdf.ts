import type { Limits } from '../base/limits.ts'
import { PdfDocument } from './document.ts'
import { guardPdfium, shedMemory, startPdfium } from './engine.ts'
import { PdfUpdate } from '../pdf-file/update.ts'
import { writeEntries } from '../pdf-file/values.ts'
import { WrittenPdf } from '../pdf-file/written-pdf.ts'

/** All pages of several PDFs, in order, as one. Throws what opening a PDF throws, and `broken` when it cannot be written. */
export async function joinPdfs(pdfs: readonly Uint8Array[], limits: Limits): Promise<Uint8Array> {
  const [last, ...before] = pdfs.toReversed()
  if (!last) throw new Error('There is nothing to join.')
  if (before.length === 0) return last
  return withPdfs(limits, (open) =>
    open(last, (document) => {
      for (const pdf of before) open(pdf, (front) => document.editor.putBefore(front.editor))
      return withoutMetadata(document.editor.saved())
    }),
  )
}

/** What the metadata of one of several files say is not true of all: that they are PDF/A, above all. */
function withoutMetadata(file: Uint8Array): Uint8Array {
  const pdf = Buffer.from(file.buffer, file.byteOffset, file.length)
  const written = WrittenPdf.read(pdf)
  const root = written?.entriesOf(written.root)
  if (!written || !root?.delete('Metadata')) return file
  const update = new PdfUpdate(pdf, written.size)
  update.add(writeEntries(root), undefined, written.root)
  return update.finish(written.root, written.start, written.info)
}

type Open = <T>(bytes: Uint8Array, use: (document: PdfDocument) => T) => T

/** Opens PDFs one within the other, for work that takes pages of one for another. */
export async function withPdfs(limits: Limits, use: (open: Open) => Uint8Array): Promise<Uint8Array> {
  const pdfium = await startPdfium()
  try {
    const open: Open = (bytes, work) => {
      const document = new PdfDocument(pdfium, bytes, limits)
      try {
        return work(document)
      } finally {
        document.close()
      }
    }
    return guardPdfium(() => use(open))
  } finally {
    shedMemory()
  }
}

/**
 * Some pages of a PDF, counted from 0, `to` not included, as a PDF of its own: nothing of the other pages is in it.
 * Throws what opening a PDF throws, and `broken` when it cannot be written.
 */
export async function takePages(pdf: Uint8Array, from: number, to: number, limits: Limits): Promise<Uint8Array> {
  return withPdfs(limits, (open) => open(pdf, (document) => document.editor.copied(from, to)))
}
