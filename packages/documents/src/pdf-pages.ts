import type { FaxPages } from './fax-pages.ts'
import type { Limits } from './limits.ts'
import { faxRows, pageFit, placeOnPaper, placeOwnPage } from './paper.ts'
import type { Paper, Size } from './paper.ts'
import { PdfDocument } from './pdf-document.ts'
import { guardPdfium, isSound, shedMemory, startPdfium } from './pdf-engine.ts'
import { toBilevel } from './bilevel.ts'

/**
 * Opens a PDF. `own` tells that its pages were made for `paper` and lie on the grid of the fax page. Throws
 * `encrypted`, `broken`, `empty`, `too_many_pages` and `too_large`.
 */
export async function openPdf(bytes: Uint8Array, paper: Paper, limits: Limits, own = false): Promise<FaxPages> {
  const pdfium = await startPdfium()
  const pdf = guardPdfium(() => new PdfDocument(pdfium, bytes, limits))
  const close = () => {
    guardPdfium(() => pdf.close())
    shedMemory()
  }
  let sizes: Size[]
  try {
    sizes = guardPdfium(() => pdf.measure())
  } catch (problem) {
    close()
    throw problem
  }
  return {
    sizes,
    async render(index, resolution, tones) {
      const size = sizes[index]!
      const place = own ? placeOwnPage(paper, resolution) : placeOnPaper(size, paper, resolution, pageFit)
      return guardPdfium(() =>
        pdf.render(index, place, faxRows(paper, resolution), ({ pixels, width, height }) =>
          toBilevel(pixels, width, height, { resolution, tones }),
        ),
      )
    },
    close,
    stale: () => !isSound(pdfium),
  }
}
