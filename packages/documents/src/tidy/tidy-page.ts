import { type Bitmap, sameBitmap } from '../raster/bitmap.ts'
import { dotsAcross } from '../raster/paper.ts'
import { removeSpecks } from '../contrast/specks.ts'
import { findTurns, type Turns } from './orientation.ts'
import { countWords, findSkew, level } from './skew.ts'
import type { PlacedNote } from '../raster/page-notes.ts'

/** What is done to scanned pages; each by itself. */
export interface Tidying {
  /** Pages that lie on their side or stand on their head are turned. */
  upright?: boolean
  /** Pages that lie askew by up to 5 degrees are set level. */
  deskew?: boolean
  /** Dust is taken away: dots of at most nine pixels with nothing near them. */
  despeckle?: boolean
  /** Pages with nothing on them but dust and a header line are left out. */
  dropBlank?: boolean
}

export interface TidyPage {
  bitmap: Bitmap
  /** Quarter turns to the right that are still to be made. */
  turns: Turns
  /** What the page was straightened by, in degrees; 0 when it lay straight. */
  degrees: number
  hasLostSpecks: boolean
}

/** Whether any of it is wanted. */
export const isWanted = (tidying: Tidying | undefined): tidying is Tidying =>
  tidying !== undefined && Object.values(tidying).some(Boolean)

/** Tidies one page and leaves the given bitmap as it is. @param rowsAnInch of the page; across it always has 204 */
export function tidyPage(page: Bitmap, rowsAnInch: number, { upright, deskew, despeckle }: Tidying): TidyPage {
  let bitmap = page
  let hasLostSpecks = false
  if (despeckle) {
    bitmap = { ...page, words: page.words.slice() }
    removeSpecks(bitmap, () => true)
    hasLostSpecks = !sameBitmap(bitmap, page)
  }
  const aspect = rowsAnInch / dotsAcross
  const degrees = deskew ? findSkew(bitmap, aspect) : 0
  if (degrees !== 0) bitmap = level(bitmap, degrees, aspect)
  const turns = upright ? findTurns(bitmap, { across: dotsAcross, down: rowsAnInch }) : 0
  return { bitmap, turns, degrees, hasLostSpecks }
}

/** The edge of a page, in shares of it, where machines print header lines and scanners leave shadows. */
const edge = 0.03
/** Pixels that a page without writing may keep: less than a full stop of 8 points. */
const maxInk = 12

/** Whether there is nothing on a page but dust, and what stands at its very edge. */
export function isBlankPage(page: Bitmap): boolean {
  const bitmap = { ...page, words: page.words.slice() }
  removeSpecks(bitmap, () => true)
  const { rowWords, height } = bitmap
  const counts = countWords(bitmap)
  const [top, bottom] = [Math.ceil(height * edge), Math.floor(height * (1 - edge))]
  const [left, right] = [Math.ceil(rowWords * edge), Math.floor(rowWords * (1 - edge))]
  let ink = 0
  for (let y = top; y < bottom; y++) {
    for (let index = left; index < right; index++) ink += counts[y * rowWords + index]!
    if (ink > maxInk) return false
  }
  return true
}

const turned = ['', 'rotated 90° clockwise', 'rotated 180°', 'rotated 90° counterclockwise']

/** What was done to a page, counted from 1, in a sentence; none when it is as it was. */
export function notesOfTidying(page: number, { turns, degrees, hasLostSpecks }: TidyPage): PlacedNote[] {
  const done = [
    ...(turns === 0 ? [] : [turned[turns]]),
    ...(degrees === 0 ? [] : [`straightened by ${Math.abs(degrees).toFixed(1)} degrees`]),
    ...(hasLostSpecks ? ['cleaned of specks'] : []),
  ]
  if (done.length === 0) return []
  const last = done.pop()
  const text = done.length === 0 ? last : `${done.join(', ')} and ${last}`
  return [{ page, kind: 'tidied', text: `Page ${page} was ${text}. The original is kept.` }]
}

/** Pages that were left out because nothing is on them. */
export function notesOfBlanks(pages: readonly number[]): PlacedNote[] {
  const [first] = pages
  if (first === undefined) return []
  const named =
    pages.length === 1 ? `Page ${first} of the original is` : `Pages ${pages.join(', ')} of the original are`
  return [{ page: 1, kind: 'tidied', text: `${named} blank and left out. The original is kept.` }]
}
