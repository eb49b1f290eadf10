import { decimal, type PdfWriter } from './write.ts'

/** An image as a PDF stream holds it. */
export interface PdfImage {
  width: number
  height: number
  /** Dictionary entries: color space, bits, filter. */
  entries: string
  data: Uint8Array
}

/** Writes an image and returns its object number. */
export function addImage(pdf: PdfWriter, { width, height, entries, data }: PdfImage): number {
  return pdf.add(`/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${entries}`, data)
}

/** A content stream that draws the image `I` with a transformation matrix. */
export function drawImage(matrix: readonly number[]): Buffer {
  return Buffer.from(`q ${matrix.map(decimal).join(' ')} cm /I Do Q`, 'latin1')
}
