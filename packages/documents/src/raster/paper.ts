/** Lines of a fax page: 98 (standard) or 196 (fine) rows an inch; always 204 pixels an inch across (ITU-T T.4, 2). */
export type Resolution = 'standard' | 'fine'

export type Paper = 'letter' | 'a4'

/** Pixels across every page: the 215 mm scan line of T.4, 2.1. */
export const faxWidth = 1728

/** Horizontal pixels an inch. */
export const dotsAcross = 204

/** Rows an inch. */
export const dotsDown: Record<Resolution, number> = { standard: 98, fine: 196 }

/** Paper in whole pixels across and fine rows down. Letter is 6 pixels wider than the scan line, A4 is 42 narrower. */
const paperDots: Record<Paper, { across: number; rows: number }> = {
  letter: { across: 1734, rows: 2156 },
  a4: { across: 1686, rows: 2292 },
}

/** Paper in points: 612 × 792 for letter, 595.06 × 841.96 for A4, rounded to whole pixels. */
export const paperPoints: Record<Paper, Size> = {
  letter: pointsOf(paperDots.letter),
  a4: pointsOf(paperDots.a4),
}

function pointsOf(dots: { across: number; rows: number }): Size {
  return { width: (dots.across * 72) / dotsAcross, height: (dots.rows * 72) / dotsDown.fine }
}

/** Rows of a full page. */
export function faxRows(paper: Paper, resolution: Resolution): number {
  return resolution === 'fine' ? paperDots[paper].rows : paperDots[paper].rows / 2
}

/** Where a page lies on the paper: pixels from the top left corner, after a clockwise turn of 90° when `turned`. */
export interface Placement {
  left: number
  top: number
  width: number
  height: number
  turned: boolean
}

/** A page in points. */
export interface Size {
  width: number
  height: number
}

/** How a page may change to fit on the paper. */
export interface Fit {
  /** The largest factor by which it may be enlarged. */
  growth: number
  /** White kept on every side, in points. */
  margin: number
  /** How much larger it must become for a sheet that is longer than the paper, or for several. */
  worthLength: number
}

/** Pages of documents have margins of their own and may be made for smaller paper. */
export const pageFit: Fit = { growth: 2, margin: 0, worthLength: 1.08 }

/** Pictures keep their natural size when it fits, and stay clear of the edges that machines cannot print. */
export const pictureFit: Fit = { growth: 1, margin: 18, worthLength: 2 }

/** A page is turned only when that makes it at least this much larger. */
const worthTurning = 1.1

/** The scale at which a whole page fits on an area (both in points), and whether it is to be turned by 90° for that. */
export function fitPage(
  page: Size,
  area: Size,
  { growth, margin }: Pick<Fit, 'growth' | 'margin'>,
): { scale: number; turned: boolean } {
  const [across, down] = [area.width - 2 * margin, area.height - 2 * margin]
  const upright = Math.min(across / page.width, down / page.height, growth)
  const sideways = Math.min(across / page.height, down / page.width, growth)
  const turned = sideways > upright * worthTurning
  return { scale: turned ? sideways : upright, turned }
}

/** Fits a page on the part of the paper that the scan line covers: whole, centered, not distorted. */
export function placeOnPaper(page: Size, paper: Paper, resolution: Resolution, fit: Fit): Placement {
  const rows = faxRows(paper, resolution)
  const perPoint = { across: dotsAcross / 72, down: dotsDown[resolution] / 72 }
  const area = { width: faxWidth / perPoint.across, height: rows / perPoint.down }
  const { scale, turned } = fitPage(page, area, fit)
  const [across, down] = turned ? [page.height, page.width] : [page.width, page.height]
  const width = Math.min(faxWidth, Math.max(1, Math.round(across * perPoint.across * scale)))
  const height = Math.min(rows, Math.max(1, Math.round(down * perPoint.down * scale)))
  return { left: (faxWidth - width) >> 1, top: (rows - height) >> 1, width, height, turned }
}

/** Places a page that was made for this paper at its natural size; its blank edges may reach beyond the scan line. */
export function placeOwnPage(paper: Paper, resolution: Resolution): Placement {
  const width = paperDots[paper].across
  return { left: (faxWidth - width) / 2, top: 0, width, height: faxRows(paper, resolution), turned: false }
}

/**
 * What a page is made black and white for: `text` has every stroke black and every ground white, `photo` shows all tones
 * by dots, and `auto` decides for each part of the page.
 */
export type Tones = 'auto' | 'text' | 'photo'
