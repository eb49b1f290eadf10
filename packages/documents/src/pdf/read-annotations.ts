import { PdfUpdate } from '../pdf-file/update.ts'
import { WrittenPdf } from '../pdf-file/written-pdf.ts'
import { type Pdfium, withMemory } from './pdfium.ts'

/** A private entry of the document information dictionary (ISO 32000-1, 14.3.3). */
const entry = 'FaxdeckNotes'
/** Longer than what is written here; other programs' entries of this name are cut. */
const maxBytes = 8192

const textString = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

/**
 * A PDF that was written by `PdfWriter` or PDFium, with sentences about what its pages lack: an incremental update, so
 * that whoever opens it can say them.
 */
export function withNotes(file: Uint8Array, notes: readonly string[]): Uint8Array {
  if (notes.length === 0) return file
  const pdf = Buffer.from(file.buffer, file.byteOffset, file.length)
  const written = WrittenPdf.read(pdf)
  if (!written) throw new Error('The PDF was not written here.')
  const update = new PdfUpdate(pdf, written.size)
  const info = update.add(`/${entry} ${textString(notes.join('\n').slice(0, maxBytes / 2 - 2))}`)
  return update.finish(written.root, written.start, info)
}

/** Attached files that people would want to have faxed, as those of a portfolio; invoices bring their data as XML. */
const faxable = /\.(pdf|docx?|odt|rtf|txt|jpe?g|png|gif|webp|heic|tiff?|xlsx?|ods|pptx?|odp|html?|eml|msg)$/i
const maxAttached = 10

/** A sentence about the files attached to a PDF, which are not faxed; none where there are none. */
export function noteAttached(pdfium: Pdfium, document: number): string[] {
  const count = pdfium.FPDFDoc_GetAttachmentCount(document)
  if (count <= 0) return []
  const names = withMemory(pdfium, maxBytes, (room) =>
    Array.from({ length: Math.min(count, maxAttached) }, (_, index) => {
      const length = pdfium.FPDFAttachment_GetName(pdfium.FPDFDoc_GetAttachment(document, index), room, maxBytes)
      return length < 2 || length > maxBytes ? '' : textAt(pdfium, room, length)
    }),
  )
  const left = names.filter((name) => faxable.test(name))
  if (left.length === 0) return []
  return [`Files attached to the PDF are not faxed: ${left.join(', ')}. Save them and send them as faxes of their own.`]
}

const textAt = ({ pdfium }: Pdfium, at: number, length: number) =>
  Buffer.from(pdfium.HEAPU8.slice(at, at + length - 2)).toString('utf16le')

/** The sentences that a PDF keeps about what its pages lack. */
export function readAnnotations(pdfium: Pdfium, document: number): string[] {
  if (pdfium.FPDF_GetMetaText(document, entry, 0, 0) <= 2) return []
  return withMemory(pdfium, maxBytes, (text) => {
    const length = pdfium.FPDF_GetMetaText(document, entry, text, maxBytes)
    return length > maxBytes ? [] : textAt(pdfium, text, length).split('\n')
  })
}
