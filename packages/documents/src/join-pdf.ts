import type { Cover } from './cover-templates.ts'
import { coverToPdf } from './cover.ts'
import type { Limits } from './limits.ts'
import type { Paper } from './paper.ts'
import { PdfDocument } from './pdf-document.ts'
import { brokenPdf, guardPdfium, shedMemory, startPdfium } from './pdf-engine.ts'
import { DocumentProblem } from './problem.ts'

/**
 * A PDF with a cover page before it: its own pages, forms and annotations stay as they are. Throws what opening a PDF
 * throws, `bad_cover`, and `broken` when it cannot be written.
 */
export async function putCoverBefore(pdf: Uint8Array, cover: Cover, paper: Paper, limits: Limits): Promise<Uint8Array> {
  const pdfium = await startPdfium()
  try {
    const open = <T>(bytes: Uint8Array, use: (document: PdfDocument) => T): T => {
      const document = new PdfDocument(pdfium, bytes, limits)
      try {
        return use(document)
      } finally {
        document.close()
      }
    }
    return guardPdfium(() =>
      open(pdf, (document) => open(coverToPdf(cover, document.pages, paper), (front) => joined(document, front))),
    )
  } finally {
    shedMemory()
  }
}

function joined(document: PdfDocument, front: PdfDocument): Uint8Array {
  const bytes = document.putBefore(front) ? document.save() : undefined
  if (bytes) return bytes
  throw new DocumentProblem('broken', `No cover page can be put before this PDF. ${brokenPdf}`)
}
