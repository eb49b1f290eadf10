import type { Pdfium } from './pdfium.ts'
import { allocate, release } from './pdfium.ts'

/** A private entry of the document information dictionary (ISO 32000-1, 14.3.3). */
const entry = 'FaxdeckNotes'
/** Longer than what is written here; other programs' entries of this name are cut. */
const maxBytes = 8192

const textString = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

/**
 * A PDF that was written by `PdfWriter`, with sentences about what its pages lack: an incremental update (ISO 32000-1,
 * 7.5.6), so that whoever opens it can say them.
 */
export function withNotes(pdf: Uint8Array, notes: readonly string[]): Uint8Array {
  if (notes.length === 0) return pdf
  const end = Buffer.from(pdf.subarray(-200)).toString('latin1')
  const [, size, root, previous] = /<<\/Size (\d+)\/Root (\d+) 0 R>>\nstartxref\n(\d+)\n/.exec(end) ?? []
  if (size === undefined) throw new Error('The PDF was not written here.')
  const object = `${size} 0 obj\n<</${entry} ${textString(notes.join('\n').slice(0, maxBytes / 2 - 2))}>>\nendobj\n`
  const place = String(pdf.length).padStart(10, '0')
  const trailer = `trailer\n<</Size ${Number(size) + 1}/Root ${root} 0 R/Info ${size} 0 R/Prev ${previous}>>`
  const table = `xref\n${size} 1\n${place} 00000 n \n${trailer}\nstartxref\n${pdf.length + object.length}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(object + table, 'latin1')])
}

/** Has an open document keep sentences, for when it is written. */
export function writeAnnotations(pdfium: Pdfium, document: number, notes: readonly string[]): void {
  const text = Buffer.from(`${[...readAnnotations(pdfium, document), ...notes].join('\n')}\0`, 'utf16le')
  const at = allocate(pdfium, text.length)
  pdfium.pdfium.HEAPU8.set(text, at)
  pdfium.EPDF_SetMetaText(document, entry, at)
  release(pdfium, at)
}

/** Attached files that people would want to have faxed, as those of a portfolio; invoices bring their data as XML. */
const faxable = /\.(pdf|docx?|odt|rtf|txt|jpe?g|png|gif|webp|heic|tiff?|xlsx?|ods|pptx?|odp|html?|eml|msg)$/i
const maxAttached = 10

/** A sentence about the files attached to a PDF, which are not faxed; none where there are none. */
export function noteAttached(pdfium: Pdfium, document: number): string[] {
  const count = pdfium.FPDFDoc_GetAttachmentCount(document)
  if (count <= 0) return []
  const room = allocate(pdfium, maxBytes)
  const names = Array.from({ length: Math.min(count, maxAttached) }, (_, index) => {
    const length = pdfium.FPDFAttachment_GetName(pdfium.FPDFDoc_GetAttachment(document, index), room, maxBytes)
    return length < 2 || length > maxBytes ? '' : textAt(pdfium, room, length)
  })
  release(pdfium, room)
  const left = names.filter((name) => faxable.test(name))
  if (left.length === 0) return []
  return [`Files attached to the PDF are not faxed: ${left.join(', ')}. Save them and send them as faxes of their own.`]
}

const textAt = ({ pdfium }: Pdfium, at: number, length: number) =>
  Buffer.from(pdfium.HEAPU8.slice(at, at + length - 2)).toString('utf16le')

/** The sentences that a PDF keeps about what its pages lack. */
export function readAnnotations(pdfium: Pdfium, document: number): string[] {
  if (pdfium.FPDF_GetMetaText(document, entry, 0, 0) <= 2) return []
  const text = allocate(pdfium, maxBytes)
  try {
    const length = pdfium.FPDF_GetMetaText(document, entry, text, maxBytes)
    if (length > maxBytes) return []
    return textAt(pdfium, text, length).split('\n')
  } finally {
    release(pdfium, text)
  }
}
