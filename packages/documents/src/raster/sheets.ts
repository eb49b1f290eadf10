import {
  dotsAcross,
  dotsDown,
  faxRows,
  faxWidth,
  type Fit,
  fitPage,
  type Paper,
  type Placement,
  placeOnPaper,
  type Resolution,
  type Size,
} from './paper.ts'

/**
 * How a page that is longer than 14 inches is sent: on several sheets that overlap, or as one long page
 * (T.4 knows no longest page, but some machines cut what comes after their paper).
 */
export type LongPages = 'split' | 'whole'

/** A fax page: a page of a document, or the part of a long one that stands on this sheet. */
export interface Sheet {
  /** Page of the document, from 0, and its size in points. */
  page: number
  size: Size
  /** What it was scaled by. */
  scale: number
  /** Where all of the page lies, `top` above the sheet for its later parts; and the rows of the sheet. */
  place(resolution: Resolution): { place: Placement; rows: number }
}

/** Rows of a fine page: US legal and a little. */
const legalRows = 14 * dotsDown.fine + 20
/** Fine rows that two sheets of a page share, half an inch. */
export const overlap = dotsDown.fine / 2

/** The sheets that pages of these sizes (points) take, in order. */
export function planSheets(sizes: readonly Size[], paper: Paper, fit: Fit, longPages: LongPages): Sheet[] {
  return sizes.flatMap((size, page) => sheetsOf({ size, page }, paper, fit, longPages))
}

function sheetsOf(of: Pick<Sheet, 'page' | 'size'>, paper: Paper, fit: Fit, longPages: LongPages): Sheet[] {
  const area = { width: (faxWidth * 72) / dotsAcross, height: (faxRows(paper, 'fine') * 72) / dotsDown.fine }
  const whole = fitPage(of.size, area, fit)
  const long = fitPage(of.size, { ...area, height: Infinity }, { ...fit, growth: 1 })
  if (long.scale < whole.scale * fit.worthLength) {
    const place = (resolution: Resolution) => ({
      place: placeOnPaper(of.size, paper, resolution, fit),
      rows: faxRows(paper, resolution),
    })
    return [{ ...of, scale: whole.scale, place }]
  }
  return longSheets(of, long, longPages === 'whole' ? Infinity : faxRows(paper, 'fine'), fit.margin)
}

/** A page as wide as the paper at most, on as many sheets of `max` rows as it needs; on one up to 14 inches. */
function longSheets(
  { page, size }: Pick<Sheet, 'page' | 'size'>,
  { scale, turned }: { scale: number; turned: boolean },
  max: number,
  margin: number,
): Sheet[] {
  const [across, down] = turned ? [size.height, size.width] : [size.width, size.height]
  const width = Math.min(faxWidth, Math.max(1, Math.round((across * scale * dotsAcross) / 72)))
  const height = even((down * scale * dotsDown.fine) / 72)
  const above = even((margin * dotsDown.fine) / 72)
  const length = height + 2 * above
  const rows = length <= Math.max(legalRows, max) ? length : max
  const step = rows - overlap
  const sheets = rows === length ? 1 : Math.ceil((length - overlap) / step)
  return Array.from({ length: sheets }, (_, sheet) => ({
    page,
    size: sheets === 1 ? size : partOf(size, turned, rows / height),
    scale,
    place: (resolution) => {
      const times = dotsDown[resolution] / dotsDown.fine
      const top = (above - sheet * step) * times
      return {
        place: { left: (faxWidth - width) >> 1, top, width, height: height * times, turned },
        rows: rows * times,
      }
    },
  }))
}

/** Rows that stay whole at standard resolution. */
const even = (rows: number) => 2 * Math.round(rows / 2)

const partOf = ({ width, height }: Size, turned: boolean, share: number): Size =>
  turned ? { width: width * share, height } : { width, height: height * share }
