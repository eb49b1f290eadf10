import { type Bitmap, mergeRows, repeatRows } from '../raster/bitmap.ts'
import type { FaxPages } from '../raster/fax-pages.ts'
import { bitmapOnPage } from '../raster/gray-page.ts'
import { checkImage, imageOnPage, readHeader } from '../images/image-read.ts'
import { checkPages, type Limits } from '../base/limits.ts'
import { endsEarly, type FaxPage, notesOfSheets, repaired as repairedNote } from '../raster/page-notes.ts'
import { dotsAcross, dotsDown, faxWidth, pageFit, type Paper, type Resolution } from '../raster/paper.ts'
import { type LongPages, planSheets, type Sheet } from '../raster/sheets.ts'
import { toBilevel } from '../contrast/bilevel.ts'
import { decodeTiffPage } from './decode.ts'
import { isCcitt, isLab, readTiff, type TiffPage } from './read.ts'
import { checkSound, dotsOf, sizeOf } from './size.ts'

/** Opens a TIFF file of any number of pages. Throws `broken`, `empty`, `too_many_pages` and `too_large`. */
export async function openTiff(
  bytes: Uint8Array,
  paper: Paper,
  limits: Limits,
  longPages: LongPages,
): Promise<FaxPages> {
  const pages = readTiff(bytes, limits)
  // Fax pages stay as they are, however long.
  const sheets = pages.flatMap((page, index) =>
    isFaxPage(page)
      ? [wholeSheet(page, index)]
      : planSheets([sizeOf(page)], paper, pageFit, longPages).map((sheet) => ({ ...sheet, page: index })),
  )
  checkPages(sheets.length, limits)
  const notes = notesOfSheets(sheets, true)
  const imageOf = (page: TiffPage) => ({ bytes, page: page.index, name: 'TIFF' as const, limits, isLab: isLab(page) })
  return {
    sizes: sheets.map(({ size }) => size),
    notes,
    isScan: () => true,
    mayBeSheet: () => true,
    async check() {
      for (const [index, page] of pages.entries()) {
        if (isCcitt(page)) {
          const { rows, repaired, missing } = decodeTiffPage(bytes, page)
          checkSound(page, rows)
          const number = sheets.findIndex((sheet) => sheet.page === index) + 1
          if (repaired > 0) notes.push(repairedNote(number, repaired))
          if (missing > negligibleRows) notes.push(endsEarly(number, page.height - missing, page.height))
        } else await readHeader(imageOf(page)).then(() => checkImage(imageOf(page)))
      }
    },
    async render(index, resolution, tones) {
      const sheet = sheets[index]!
      const page = pages[sheet.page]!
      const times = rowsTimes(page, resolution)
      const { place, rows } = sheet.place(resolution)
      const finish = (pixels: Uint8Array) => toBilevel(pixels, faxWidth, rows, { resolution, tones })
      if (!isCcitt(page)) return finish(await imageOnPage(imageOf(page), place, rows))
      const { bitmap, missing } = decodeTiffPage(bytes, page)
      const whole = times === undefined ? finish(bitmapOnPage(bitmap, place, rows)) : adaptRows(bitmap, times)
      return missing > negligibleRows ? withEnd(whole, 1 - missing / page.height) : whole
    },
  }
}

/** What stood below this share of a page is missing. */
function withEnd(page: FaxPage, share: number): FaxPage {
  const top = Math.floor(page.height * share)
  return { ...page, lost: [...(page.lost ?? []), { left: 0, top, width: page.width, height: page.height - top }] }
}

/** So few rows of white at the end of a page hold no writing. */
const negligibleRows = 8

/** A page that is a fax page already, at both resolutions. */
const isFaxPage = (page: TiffPage) => isCcitt(page) && rowsTimes(page, 'fine') !== undefined

function wholeSheet(page: TiffPage, index: number): Sheet {
  const size = sizeOf(page)
  return {
    page: index,
    size,
    scale: 1,
    place: (resolution) => {
      const rows = Math.round((size.height * dotsDown[resolution]) / 72)
      return { place: { left: 0, top: 0, width: faxWidth, height: rows, turned: false }, rows }
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
