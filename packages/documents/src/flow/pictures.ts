import { embedGray } from '../images/picture-pdf.ts'
import { naturalSize } from '../images/image-pages.ts'
import { readHeader } from '../images/image-read.ts'
import { readPictureFile } from '../images/picture-file.ts'
import type { PdfImage } from '../pdf-file/write.ts'
import { DocumentProblem } from '../base/problem.ts'
import type { Size } from '../raster/paper.ts'
import type { Picture } from './flow.ts'
import type { Press } from './strip.ts'

/** A picture as it stands on the page. @throws {DocumentProblem} `too_large` */
export async function loadPicture(
  { bytes, size }: Pick<Picture, 'bytes' | 'size'>,
  { limits, room }: Press,
  width: number,
): Promise<{ drawn: PdfImage; placed: Size } | undefined> {
  try {
    const file = await readPictureFile(bytes, limits)
    if (!file) return undefined
    const image = { ...file, page: 0, limits }
    const header = await readHeader(image)
    const natural = size && size.width > 1 && size.height > 1 ? size : naturalSize(header)
    const wide = Math.min(1, width / natural.width)
    const isLong = natural.height * wide > 2 * room
    const scale = isLong ? wide : Math.min(wide, room / natural.height)
    const placed = { width: natural.width * scale, height: natural.height * scale }
    return { drawn: await embedGray(image, header, placed), placed }
  } catch (error) {
    // A document is not refused for one picture, unless it is too large to be handled at all.
    if (!(error instanceof DocumentProblem) || !['broken', 'unsupported'].includes(error.code)) throw error
    return undefined
  }
}
