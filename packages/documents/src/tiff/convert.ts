import { readHeader } from '../images/image-read.ts'
import type { Limits } from '../base/limits.ts'
import type { Size } from '../raster/paper.ts'
import type { PdfImage } from '../pdf-file/write.ts'
import { embedGray } from '../images/picture-pdf.ts'
import { encodeT6 } from '../t4-t6/t6-encode.ts'
import { decodeTiffPage } from './decode.ts'
import { copyCcitt, ccittImage, imagesToPdf, isCopyable } from './pdf.ts'
import { isCcitt, isLab, readTiff, type TiffPage } from './read.ts'
import { checkSound, sizeOf } from './size.ts'

/**
 * Any TIFF file as a PDF, each page at its own size: CCITT data as it is where it stands undamaged in one strip,
 * otherwise coded again without loss, other images in gray. Throws what `readTiff` throws, and `broken`.
 */
export async function tiffToPdf(bytes: Uint8Array, limits: Limits): Promise<Uint8Array> {
  const images: { size: Size; image: PdfImage }[] = []
  for (const page of readTiff(bytes, limits))
    images.push({ size: sizeOf(page), image: await convert(bytes, page, limits) })
  return imagesToPdf(images)
}

async function convert(bytes: Uint8Array, page: TiffPage, limits: Limits): Promise<PdfImage> {
  if (isCcitt(page)) {
    const { bitmap, rows, repaired } = decodeTiffPage(bytes, page)
    checkSound(page, rows)
    // Viewers treat damaged rows each in their own way: such a page is coded again as it was repaired.
    if (repaired === 0 && isCopyable(page)) return copyCcitt(bytes, page)
    return ccittImage({ ...page, photometric: 0 }, encodeT6(bitmap), '/K -1')
  }
  const image = { bytes, page: page.index, name: 'TIFF' as const, limits, isLab: isLab(page) }
  return embedGray(image, await readHeader(image), sizeOf(page))
}
