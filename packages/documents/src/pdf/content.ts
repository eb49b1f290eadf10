import { mayBeLeft } from './pictures/frail-pictures.ts'
import { allocate, release } from './pdfium.ts'
import type { Pdfium } from './pdfium.ts'

/** Kinds of objects, and the render mode of text that is not drawn: that of a scan's text layer. */
const type = { text: 1, path: 2, image: 3, shading: 4, form: 5 }
const invisibleText = 3
/** What is lighter than this on every channel is white, as the ground that programs draw first is. */
const nearlyWhite = 230
/** Objects looked at: enough of a page that came out white. */
const maxObjects = 5000
const maxDepth = 8

/** Whether a page has anything that is seen when it is drawn: text, lines, or a picture that holds more than white. */
export function hasContent(pdfium: Pdfium, page: number): boolean {
  const room = allocate(pdfium, 64)
  let looked = 0
  const isSeen = (object: number, depth: number): boolean => {
    if (++looked > maxObjects) return false
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind === type.shading) return true
    if (kind === type.image) return mayBeLeft(pdfium, object, room)
    if (kind === type.text) {
      if (pdfium.FPDFTextObj_GetTextRenderMode(object) === invisibleText) return false
      return isColored(pdfium, object, room, false) && hasSize(pdfium, object, room)
    }
    if (kind === type.path) return isDrawn(pdfium, object, room)
    if (kind !== type.form || depth === maxDepth) return false
    const count = pdfium.FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count; index++) {
      if (isSeen(pdfium.FPDFFormObj_GetObject(object, index), depth + 1)) return true
    }
    return false
  }
  try {
    const count = pdfium.FPDFPage_CountObjects(page)
    for (let index = 0; index < count; index++) if (isSeen(pdfium.FPDFPage_GetObject(page, index), 0)) return true
    return false
  } finally {
    release(pdfium, room)
  }
}

/** What a picture must cover of a page, in shares of its area, for the page to be a scan. */
const leastOfPage = 0.7

/** Whether a page is one picture that covers most of it, with nothing else but text that is not drawn. */
export function isOnePicture(pdfium: Pdfium, page: number): boolean {
  const count = pdfium.FPDFPage_CountObjects(page)
  const objects = Array.from({ length: Math.min(count, maxObjects) }, (_, index) =>
    pdfium.FPDFPage_GetObject(page, index),
  )
  const seen = objects.filter(
    (object) =>
      pdfium.FPDFPageObj_GetType(object) !== type.text ||
      pdfium.FPDFTextObj_GetTextRenderMode(object) !== invisibleText,
  )
  const [picture] = seen
  if (seen.length !== 1 || picture === undefined || pdfium.FPDFPageObj_GetType(picture) !== type.image) return false
  const size = sizeOf(pdfium, picture)
  const area = pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page)
  return size !== undefined && size.width * size.height >= leastOfPage * area
}

/** What is smaller than this share of a page's width is no picture of a code of a separator sheet. */
const largePicture = 1 / 8

/** Whether a page has a picture of some size, or parts that may hold one. */
export function hasLargePicture(pdfium: Pdfium, page: number): boolean {
  const least = largePicture * pdfium.FPDF_GetPageWidthF(page)
  const count = Math.min(maxObjects, pdfium.FPDFPage_CountObjects(page))
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind !== type.image && kind !== type.form) continue
    const size = sizeOf(pdfium, object)
    if (size && size.width >= least && size.height >= least) return true
  }
  return false
}

/** The size of an object on its page, in points. */
function sizeOf(pdfium: Pdfium, object: number): { width: number; height: number } | undefined {
  const room = allocate(pdfium, 16)
  const isKnown = pdfium.FPDFPageObj_GetBounds(object, room, room + 4, room + 8, room + 12)
  const [left = 0, bottom = 0, right = 0, top = 0] = pdfium.pdfium.HEAPF32.slice(room >> 2, (room >> 2) + 4)
  release(pdfium, room)
  return isKnown ? { width: right - left, height: top - bottom } : undefined
}

/** Whether the color of an object can be told from white; one that is not known can. */
function isColored(pdfium: Pdfium, object: number, room: number, stroke: boolean): boolean {
  const read = stroke ? pdfium.FPDFPageObj_GetStrokeColor : pdfium.FPDFPageObj_GetFillColor
  if (!read(object, room, room + 4, room + 8, room + 12)) return true
  const [red, green, blue, alpha] = [0, 1, 2, 3].map((at) => pdfium.pdfium.HEAP32[(room >> 2) + at]!)
  return alpha! > 25 && Math.min(red!, green!, blue!) < nearlyWhite
}

function isDrawn(pdfium: Pdfium, path: number, room: number): boolean {
  if (!pdfium.FPDFPath_GetDrawMode(path, room, room + 4)) return true
  const [fill, stroke] = [pdfium.pdfium.HEAP32[room >> 2] !== 0, pdfium.pdfium.HEAP32[(room >> 2) + 1] !== 0]
  if (!hasSize(pdfium, path, room + 16)) return false
  return (fill && isColored(pdfium, path, room, false)) || (stroke && isColored(pdfium, path, room, true))
}

/** Spaces have no height. */
function hasSize(pdfium: Pdfium, object: number, room: number): boolean {
  if (!pdfium.FPDFPageObj_GetBounds(object, room, room + 4, room + 8, room + 12)) return true
  const [left, bottom, right, top] = [0, 1, 2, 3].map((at) => pdfium.pdfium.HEAPF32[(room >> 2) + at]!)
  return right! - left! > 0.2 && top! - bottom! > 0.2
}
