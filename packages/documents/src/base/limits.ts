import { DocumentProblem } from './problem.ts'

/** What one document may take. */
export interface Limits {
  /** Size of the file. */
  bytes: number
  /** Pages of the document. */
  pages: number
  /** Pixels of one image, read from its header before it is decoded. */
  pixels: number
  /** Working time of one call, of a processor: waiting is not counted. The worker that exceeds it is ended. */
  seconds: number
}

export const defaultLimits: Limits = { bytes: 50 * 1024 * 1024, pages: 500, pixels: 100_000_000, seconds: 60 }

/** The longest side of a page, in points: 200 inches, the limit of PDF itself (ISO 32000-1, Annex C.2). */
const longestSide = 14_400

/** Refuses a file of no bytes or of more than the limit allows. */
export function checkBytes(bytes: number, limits: Limits): void {
  if (bytes === 0) throw new DocumentProblem('empty', 'The file is empty. Choose another file.')
  if (bytes <= limits.bytes) return
  throw new DocumentProblem(
    'too_large',
    `The file has ${megabytes(bytes)} MB; the limit is ${megabytes(limits.bytes)} MB. Send a smaller file or split the document.`,
  )
}

/** Refuses more pages than the limit allows. */
export function checkPages(pages: number, limits: Limits): void {
  if (pages <= limits.pages) return
  throw new DocumentProblem(
    'too_many_pages',
    `The document has more than ${limits.pages} pages, the limit for one fax. Split the document.`,
  )
}

/** Refuses an image of more pixels than the limit allows; call it before any pixel is decoded. */
export function checkPixels(width: number, height: number, limits: Limits): void {
  if (width * height <= limits.pixels) return
  throw new DocumentProblem(
    'too_large',
    `An image in the file has ${width} by ${height} pixels, which is too large. Save it at a lower resolution.`,
  )
}

/** Refuses a page with no area or with a side longer than 200 inches; sizes in points. */
export function checkPageSize(page: number, width: number, height: number): void {
  if (!(width > 0 && height > 0)) {
    throw new DocumentProblem('broken', `Page ${page} has no size. Save the document again and send that file.`)
  }
  if (width <= longestSide && height <= longestSide) return
  throw new DocumentProblem(
    'too_large',
    `Page ${page} measures ${Math.round(width / 72)} by ${Math.round(height / 72)} inches; the limit is 200 inches a side. Save the document with a smaller page size.`,
  )
}

function megabytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(1).replace(/\.0$/, '')
}
