import type { Bitmap } from './bitmap.ts'
import type { Sheet } from './sheets.ts'

/** A place on a page, in pixels of it. */
export interface Place {
  left: number
  top: number
  width: number
  height: number
}

/** What a person should know of a page before it is sent. */
export interface PageNote {
  /**
   * What the far end cannot read: letters that no font has, writing or parts of pictures that the fax page does not show,
   * a page that shows nothing of what is on it. And what it should know of: a page that was scaled down or
   * split, damaged rows, parts of an office document or a mail that are left out, a scan that was tidied.
   */
  kind: 'missing_letters' | 'lost_writing' | 'blank_page' | 'shrunk' | 'split' | 'repaired' | 'left_out' | 'tidied'
  /** One sentence. */
  text: string
  /** Where, in shares of the page's width and height; none when it is the whole page. */
  places?: Place[]
}

/** A note with its page, counted from 1 without those of a cover. */
export type PlacedNote = PageNote & { page: number }

/** Where something of the document is not seen. */
export interface LostPlace extends Place {
  /** A picture whose data is damaged; otherwise it is writing. */
  isDamaged?: true
}

/** A fax page, and what comparing it with what it was made of found. */
export interface FaxPage extends Bitmap {
  lost?: LostPlace[]
  /** The document has something on this page, and the page is white. */
  isBlank?: boolean
}

/** Places beyond this many are one place around all: a page of marks says less than a sentence. */
const maxPlaces = 20

/** What comparing a page with its document found, in sentences. `number` counts from 1. */
export function notesOfCheck({ lost = [], isBlank, ...page }: FaxPage, number: number): PageNote[] {
  const blank = `Page ${number} came out blank, although the document has content there.`
  const writing = (where: string) => `Some writing on page ${number} cannot be read on the fax, ${where}.`
  const picture = (where: string) =>
    `A picture on page ${number} is damaged in the document, ${where}. Part of it may be missing on the fax.`
  return [
    ...(isBlank ? [{ kind: 'blank_page', text: blank } as const] : []),
    ...noteOfLost(
      lost.filter(({ isDamaged }) => isDamaged),
      page,
      picture,
    ),
    ...noteOfLost(
      lost.filter(({ isDamaged }) => !isDamaged),
      page,
      writing,
    ),
  ]
}

function noteOfLost(
  lost: readonly Place[],
  page: Pick<Bitmap, 'width' | 'height'>,
  sentence: (where: string) => string,
): PageNote[] {
  if (lost.length === 0) return []
  const places = (lost.length > maxPlaces ? [around(lost)] : lost).map(({ left, top, width, height }) => ({
    left: left / page.width,
    top: top / page.height,
    width: width / page.width,
    height: height / page.height,
  }))
  return [{ kind: 'lost_writing', text: sentence(whereIs(places[0]!)), places }]
}

/** The smallest place that holds all. */
export function around(places: readonly Place[]): Place {
  const left = Math.min(...places.map((place) => place.left))
  const top = Math.min(...places.map((place) => place.top))
  const right = Math.max(...places.map((place) => place.left + place.width))
  const bottom = Math.max(...places.map((place) => place.top + place.height))
  return { left, top, width: right - left, height: bottom - top }
}

/** "near the top left", "in the center". */
function whereIs({ left, top, width, height }: Place): string {
  const third = (middle: number, names: readonly [string, string, string]) =>
    names[Math.min(2, Math.floor(3 * middle))]!
  const row = third(top + height / 2, ['near the top', '', 'near the bottom'])
  const column = third(left + width / 2, ['left', 'center', 'right'])
  return row === '' ? (column === 'center' ? 'in the center' : `near the ${column} edge`) : `${row} ${column}`
}

/** Below this scale type of 10 points is smaller than 7. */
const readableScale = 0.7

/** What there is to say of how pages lie on paper. Pictures have no size of their own: for them `shrinks` is false. */
export function notesOfSheets(sheets: readonly Sheet[], shrinks: boolean): PlacedNote[] {
  return sheets.flatMap(({ page, scale }, index): PlacedNote[] => {
    if (index > 0 && sheets[index - 1]?.page === page) return []
    const count = sheets.filter((sheet) => sheet.page === page).length
    const number = index + 1
    return [
      ...(shrinks && scale < readableScale ? [shrunk(number, Math.floor(100 * scale))] : []),
      ...(count > 1 ? [split(number, count)] : []),
    ]
  })
}

/** Of a file of several pictures, such as a moving one. */
export const othersLeftOut = (pictures: number): PlacedNote[] => {
  const text = `The file holds ${pictures} pictures; only the first is faxed. To send the others, save them as PDF.`
  return pictures > 1 ? [leftOut(text)] : []
}

/** What the pages of a document lack, said on the first. */
export const leftOut = (text: string): PlacedNote => ({ page: 1, kind: 'left_out', text })

const shrunk = (page: number, percent: number): PlacedNote => {
  const text = `Page ${page} is scaled down to ${percent} % of its size to fit; small type may not be readable.`
  return { page, kind: 'shrunk', text }
}

const split = (page: number, sheets: number): PlacedNote => {
  return { page, kind: 'split', text: `Page ${page} is longer than a sheet and goes out as ${sheets} pages.` }
}

/** A page whose data ends before it does. */
export const endsEarly = (page: number, rows: number, height: number): PlacedNote => {
  const text = `The data of page ${page} ends after row ${rows} of ${height}; what stood below is missing.`
  return { page, kind: 'lost_writing', text }
}

/** Rows of a received page that were damaged on the line (T.4, 4.2.2 Note). */
export const repaired = (page: number, rows: number): PlacedNote => {
  const text = `${rows} damaged ${rows === 1 ? 'row' : 'rows'} of page ${page} ${rows === 1 ? 'is' : 'are'} drawn as the row above.`
  return { page, kind: 'repaired', text }
}
