import type { FaxPages } from './fax-pages.ts'
import { checkImage, imageOnPage, readHeader } from './image-read.ts'
import type { ImageFile, ImageHeader } from './image-read.ts'
import type { Limits } from './limits.ts'
import { faxRows, faxWidth, pictureFit, placeOnPaper } from './paper.ts'
import type { Paper, Size } from './paper.ts'
import { toBilevel } from './bilevel.ts'

/** Dots an inch of an image that does not say, or says what is only a habit of programs (72). */
const usualDensity = 96
const mostDensity = 1200

/** Opens a PNG or JPEG image: one page. Throws `broken` and `too_large`. */
export async function openImage(
  bytes: Uint8Array,
  name: 'PNG' | 'JPEG',
  paper: Paper,
  limits: Limits,
): Promise<FaxPages> {
  const image: ImageFile = { bytes, page: 0, name, limits }
  const size = naturalSize(await readHeader(image))
  return {
    sizes: [size],
    check: () => checkImage(image),
    async render(_index, resolution, tones) {
      const place = placeOnPaper(size, paper, resolution, pictureFit)
      const pixels = await imageOnPage(image, place, paper, resolution)
      return toBilevel(pixels, faxWidth, faxRows(paper, resolution), { resolution, tones })
    },
  }
}

/** The size of a picture in points after its own density. */
export function naturalSize({ width, height, density = usualDensity }: ImageHeader): Size {
  const dots = Math.min(mostDensity, Math.max(usualDensity, density))
  return { width: (width * 72) / dots, height: (height * 72) / dots }
}
