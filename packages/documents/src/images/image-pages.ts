import type { FaxPages } from '../raster/fax-pages.ts'
import {
  checkImage,
  type ImageFile,
  type ImageHeader,
  imageOnPage,
  isPaintedOnNothing,
  readHeader,
} from './image-read.ts'
import { checkPages, type Limits } from '../base/limits.ts'
import { notesOfSheets, othersLeftOut } from '../raster/page-notes.ts'
import { faxWidth, type Paper, pictureFit, type Size } from '../raster/paper.ts'
import { toBilevel } from '../contrast/bilevel.ts'
import { type LongPages, planSheets } from '../raster/sheets.ts'

/** Dots an inch of an image that does not say, or says what is only a habit of programs (72). */
const usualDensity = 96
const maxDensity = 1200

/** Opens an image: one page, or several of a long one; of moving pictures the first. Throws `broken`, `too_large` and `too_many_pages`. */
export async function openImage(
  bytes: Uint8Array,
  name: ImageFile['name'],
  paper: Paper,
  limits: Limits,
  longPages: LongPages,
): Promise<FaxPages> {
  const image: ImageFile = { bytes, page: 0, name, limits }
  const header = await readHeader(image)
  const size = naturalSize(header)
  const sheets = planSheets([size], paper, pictureFit, longPages)
  checkPages(sheets.length, limits)
  return {
    sizes: sheets.map((sheet) => sheet.size),
    notes: [...othersLeftOut(header.pages), ...notesOfSheets(sheets, false)],
    isScan: () => true,
    mayBeSheet: () => true,
    check: () => checkImage(image),
    async render(index, resolution, tones) {
      const { place, rows } = sheets[index]!.place(resolution)
      const page = toBilevel(await imageOnPage(image, place, rows), faxWidth, rows, { resolution, tones })
      const isWhite = page.words.every((word) => word === 0)
      // White type that was made to stand on a dark page is as white as the paper.
      const isBlank = sheets.length === 1 && isWhite && header.hasAlpha && (await isPaintedOnNothing(image))
      return isBlank ? { ...page, isBlank } : page
    },
  }
}

/** The size of a picture in points after its own density. */
export function naturalSize({ width, height, density = usualDensity }: ImageHeader): Size {
  const dots = Math.min(maxDensity, Math.max(usualDensity, density))
  return { width: (width * 72) / dots, height: (height * 72) / dots }
}
