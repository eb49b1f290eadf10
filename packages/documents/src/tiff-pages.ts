import { mergeRows, repeatRows } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'
import type { FaxPages } from './fax-pages.ts'
import { layOnPage, turnGrey } from './grey-page.ts'
import { checkImage, imageOnPage, readHeader } from './image-read.ts'
import type { Limits } from './limits.ts'
import { dotsAcross, dotsDown, faxRows, faxWidth, pageFit, placeOnPaper } from './paper.ts'
import type { Paper, Resolution } from './paper.ts'
import { scaleToGrey } from './scale.ts'
import { toBilevel } from './bilevel.ts'
import { decodeTiffPage } from './tiff-decode.ts'
import { isCcitt, readTiff } from './tiff-read.ts'
import type { TiffPage } from './tiff-read.ts'
import { checkSound, dotsOf, sizeOf } from './tiff-size.ts'

/** Opens a TIFF file of any number of pages. Throws `broken`, `empty`, `too_many_pages` and `too_large`. */
export async function openTiff(bytes: Uint8Array, paper: Paper, limits: Limits): Promise<FaxPages> {
  const pages = readTiff(bytes, limits)
  const imageOf = (page: TiffPage) => ({ bytes, page: page.index, name: 'TIFF' as const, limits })
  return {
    sizes: pages.map(sizeOf),
    async check() {
      for (const page of pages) {
        if (isCcitt(page)) checkSound(page, decodeTiffPage(bytes, page).rows)
        else await readHeader(imageOf(page)).then(() => checkImage(imageOf(page)))
      }
    },
    async render(index, resolution, tones) {
      const page = pages[index]!
      const place = placeOnPaper(sizeOf(page), paper, resolution, pageFit)
      const finish = (pixels: Uint8Array) =>
        toBilevel(pixels, faxWidth, faxRows(paper, resolution), { resolution, tones })
      if (!isCcitt(page)) return finish(await imageOnPage(imageOf(page), place, paper, resolution))
      const { bitmap } = decodeTiffPage(bytes, page)
      const times = rowsTimes(page, resolution)
      if (times !== undefined) return adaptRows(bitmap, times)
      const [width, height] = place.turned ? [place.height, place.width] : [place.width, place.height]
      const scaled = scaleToGrey(bitmap, width, height)
      return finish(layOnPage(place.turned ? turnGrey(scaled) : scaled, place, paper, resolution))
    },
  }
}

/**
 * How many rows of the wanted resolution stand for one row of a page that is a fax page already and is taken as it is:
 * 1, 2, or ½ and ¼ for finer ones. Undefined for any other page.
 */
function rowsTimes(page: TiffPage, resolution: Resolution): number | undefined {
  const { across, down } = dotsOf(page)
  if (page.width !== faxWidth || Math.abs(across - dotsAcross) > 5) return undefined
  const times = dotsDown[resolution] / down
  return [1, 2, 0.5, 0.25].find((whole) => Math.abs(times / whole - 1) < 0.03)
}

function adaptRows(bitmap: Bitmap, times: number): Bitmap {
  if (times === 1) return bitmap
  return times > 1 ? repeatRows(bitmap, times) : mergeRows(bitmap, 1 / times)
}
