import { mayBeLeft } from './pictures/frail-pictures.ts'
import { boundsOf, integersOf, isUnseenText, kindOf, kinds, objectsIn, objectsOn } from './page-objects.ts'
import type { Pdfium } from './pdfium.ts'

/** What is lighter than this on every channel is white, as the ground that programs draw first is. */
const nearlyWhite = 230
/** Objects looked at: enough of a page that came out white. */
const maxObjects = 5000
const maxDepth = 8

/** Whether a page has anything that is seen when it is drawn: text, lines, or a picture that holds more than white. */
export function hasContent(pdfium: Pdfium, page: number): boolean {
  let looked = 0
  const isSeen = (object: number, depth: number): boolean => {
    if (++looked > maxObjects) return false
    const kind = kindOf(pdfium, object)
    if (kind === kinds.shading) return true
    if (kind === kinds.image) return mayBeLeft(pdfium, object)
    if (kind === kinds.text) {
      return !isUnseenText(pdfium, object) && isColored(pdfium, object, false) && hasSize(pdfium, object)
    }
    if (kind === kinds.path) return isDrawn(pdfium, object)
    if (kind !== kinds.form || depth === maxDepth) return false
    return objectsIn(pdfium, object).some((inner) => isSeen(inner, depth + 1))
  }
  return objectsOn(pdfium, page).some((object) => isSeen(object, 0))
}

/** What a picture must cover of a page, in shares of its area, for the page to be a scan. */
const leastOfPage = 0.7

/** Whether a page is one picture that covers most of it, with nothing else but text that is not drawn. */
export function isOnePicture(pdfium: Pdfium, page: number): boolean {
  const seen = objectsOn(pdfium, page, maxObjects).filter((object) => !isUnseenText(pdfium, object))
  const [picture] = seen
  if (seen.length !== 1 || picture === undefined || kindOf(pdfium, picture) !== kinds.image) return false
  const size = boundsOf(pdfium, picture)
  const area = pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page)
  return size !== undefined && size.width * size.height >= leastOfPage * area
}

/** What is smaller than this share of a page's width is no picture of a code of a separator sheet. */
const largePicture = 1 / 8

/** Whether a page has a picture of some size, or parts that may hold one. */
export function hasLargePicture(pdfium: Pdfium, page: number): boolean {
  const least = largePicture * pdfium.FPDF_GetPageWidthF(page)
  return objectsOn(pdfium, page, maxObjects).some((object) => {
    const kind = kindOf(pdfium, object)
    const size = kind === kinds.image || kind === kinds.form ? boundsOf(pdfium, object) : undefined
    return size !== undefined && size.width >= least && size.height >= least
  })
}

/** Whether the color of an object can be told from white; one that is not known can. */
function isColored(pdfium: Pdfium, object: number, stroke: boolean): boolean {
  const { room } = pdfium
  const read = stroke ? pdfium.FPDFPageObj_GetStrokeColor : pdfium.FPDFPageObj_GetFillColor
  if (!read(object, room, room + 4, room + 8, room + 12)) return true
  const [red = 0, green = 0, blue = 0, alpha = 0] = integersOf(pdfium, 4)
  return alpha > 25 && Math.min(red, green, blue) < nearlyWhite
}

function isDrawn(pdfium: Pdfium, path: number): boolean {
  if (!pdfium.FPDFPath_GetDrawMode(path, pdfium.room, pdfium.room + 4)) return true
  const [fill, stroke] = integersOf(pdfium, 2)
  if (!hasSize(pdfium, path)) return false
  return (fill !== 0 && isColored(pdfium, path, false)) || (stroke !== 0 && isColored(pdfium, path, true))
}

/** Spaces have no height. */
function hasSize(pdfium: Pdfium, object: number): boolean {
  const size = boundsOf(pdfium, object)
  return !size || (size.width > 0.2 && size.height > 0.2)
}
