import type { Size } from '../raster/paper.ts'
import { addImage, drawImage, type PdfImage, PdfWriter } from '../pdf-file/write.ts'
import { stripData } from './decode.ts'
import { isCcitt, type TiffPage } from './read.ts'
import { sizeOf } from './size.ts'
import { compression, photometric, t4Option } from './tags.ts'

/**
 * The pages of a TIFF file as a PDF, each at its own size: CCITT data as it is where every page has it in one strip.
 * Undefined when a page needs decoding, which is work for the pool. Takes time only for copying.
 */
export function copyTiffToPdf(file: Uint8Array, pages: readonly TiffPage[]): Uint8Array | undefined {
  if (!pages.every(isCopyable)) return undefined
  return imagesToPdf(pages.map((page) => ({ size: sizeOf(page), image: copyCcitt(file, page) })))
}

/** One image a page, each of its own size in points. */
export function imagesToPdf(images: Iterable<{ size: Size; image: PdfImage }>): Uint8Array {
  const pdf = new PdfWriter()
  for (const { size, image } of images) {
    const { width, height } = size
    const resources = `/XObject<</I ${addImage(pdf, image)} 0 R>>`
    pdf.addPage(width, height, resources, drawImage([width, 0, 0, height, 0, 0]))
  }
  return pdf.finish()
}

/** Whether the data of a page can stand in a PDF as it is. */
export function isCopyable(page: TiffPage): boolean {
  return isCcitt(page) && page.strips.length === 1
}

/** The CCITT data of a page, untouched but for the bit order, with the parameters its coding needs. */
export function copyCcitt(file: Uint8Array, page: TiffPage): PdfImage {
  return ccittImage(page, stripData(file, page, 0), codingOf(page))
}

/** A stream of CCITT data (ISO 32000-1, 7.4.6); `coding` holds the parameters that tell G3 from G4. */
export function ccittImage(
  page: Pick<TiffPage, 'width' | 'height' | 'photometric'>,
  data: Uint8Array,
  coding: string,
): PdfImage {
  const { width, height } = page
  const black = page.photometric === photometric.blackIsZero ? '/BlackIs1 true' : ''
  const parameters = `/DecodeParms<<${coding}/Columns ${width}/Rows ${height}${black}>>`
  const entries = `/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode${parameters}`
  return { width, height, entries, data }
}

/** `K` and its companions: negative is G4, 0 is MH, positive is MR. */
function codingOf(page: TiffPage): string {
  if (page.compression === compression.t6) return '/K -1'
  if (page.compression === compression.rle) return '/K 0/EncodedByteAlign true/EndOfBlock false'
  return page.t4Options & t4Option.twoDimensional ? '/K 1/EndOfLine true' : '/K 0/EndOfLine true'
}
