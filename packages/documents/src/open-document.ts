import type { FaxPages } from './fax-pages.ts'
import type { DocumentKind } from './kind.ts'
import type { Limits } from './limits.ts'
import type { Paper } from './paper.ts'

/** What each kind of document can do. */
interface Handling {
  open(bytes: Uint8Array, paper: Paper, limits: Limits): Promise<FaxPages>
  toPdf(bytes: Uint8Array, paper: Paper, limits: Limits): Promise<Uint8Array>
}

/** The one place that knows all kinds. Each loads its libraries when it is first needed: a worker for PDFs stays small. */
export const handling: Record<DocumentKind, Handling> = {
  pdf: {
    open: async (bytes, paper, limits) => (await import('./pdf-pages.ts')).openPdf(bytes, paper, limits),
    toPdf: async (bytes) => bytes,
  },
  text: {
    open: async (bytes, paper, limits) => (await import('./text-pages.ts')).openText(bytes, paper, limits),
    toPdf: async (bytes, paper, limits) => (await import('./text-pdf.ts')).textToPdf(bytes, paper, limits),
  },
  png: pictures('PNG'),
  jpeg: pictures('JPEG'),
  tiff: {
    open: async (bytes, paper, limits) => (await import('./tiff-pages.ts')).openTiff(bytes, paper, limits),
    toPdf: async (bytes, _paper, limits) => (await import('./tiff-convert.ts')).tiffToPdf(bytes, limits),
  },
}

function pictures(name: 'PNG' | 'JPEG'): Handling {
  return {
    open: async (bytes, paper, limits) => (await import('./image-pages.ts')).openImage(bytes, name, paper, limits),
    toPdf: async (bytes, paper, limits) => (await import('./picture-pdf.ts')).pictureToPdf(bytes, name, paper, limits),
  }
}
