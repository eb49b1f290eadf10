import { dotsAcross, dotsDown, faxWidth, type Size } from '../raster/paper.ts'
import { DocumentProblem } from '../base/problem.ts'
import type { TiffPage } from './read.ts'
import { compression } from './tags.ts'

/** Dots an inch of a scan that does not say. */
const usualDots = 200
/** Rows of a page of 1728 pixels across that does not say its resolution, from which on it is taken to be fine. */
const leastFineRows = 1400
/** Share of the rows of a G3 page that must be sound; fax machines repeat the row above a damaged one. */
const leastSound = 0.5

/** Dots an inch of a page: as it says, or as its width suggests. */
export function dotsOf({ dots, width, height }: TiffPage): { across: number; down: number } {
  if (dots) return dots
  if (width !== faxWidth) return { across: usualDots, down: usualDots }
  return { across: dotsAcross, down: height < leastFineRows ? dotsDown.standard : dotsDown.fine }
}

/** From this value of the Orientation tag on rows of the file are columns of the page. */
const firstTurned = 5

/** Size of a page in points, turned as it is shown. */
export function sizeOf(page: TiffPage): Size {
  const dots = dotsOf(page)
  const [width, height] = [(page.width * 72) / dots.across, (page.height * 72) / dots.down]
  return page.orientation < firstTurned ? { width, height } : { width: height, height: width }
}

/** Throws `broken` when too little of a page could be decoded. */
export function checkSound(page: TiffPage, rows: number): void {
  if (rows >= page.height * (page.compression === compression.t6 ? 1 : leastSound)) return
  throw new DocumentProblem(
    'broken',
    `Page ${page.index + 1} of the TIFF file is damaged after row ${rows}. Save or scan it again and send that file.`,
  )
}
