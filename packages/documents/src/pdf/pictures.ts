import type { Gray } from '../contrast/gray-tiles.ts'
import type { Place } from '../page-notes.ts'
import type { Placement } from '../raster/paper.ts'
import { allocate, release } from './pdfium.ts'
import type { Pdfium } from './pdfium.ts'

/** Of fpdf_edit.h. */
const imageType = 3
/** A picture of nothing but white takes less than this in the codings that PDFium may leave undrawn. */
const leastBytes: Readonly<Record<string, number>> = { JBIG2Decode: 400, JPXDecode: 4000 }
/** Pictures that are looked at, and pixels that one must have on the page to be seen. */
const maxPictures = 200
const leastSide = 8

/** Whether a file may have pictures that PDFium leaves undrawn: `/JPXDecode` and `/JBIG2Decode` (ISO 32000-1, 7.4). */
export function mayLeavePictures(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  return Object.keys(leastBytes).some((coding) => bytes.includes(`/${coding}`))
}

/** Whether a picture holds more than white, in a coding that PDFium may leave undrawn. `room` is 64 bytes of its memory. */
export function mayBeLeft(pdfium: Pdfium, image: number, room: number): boolean {
  const length = pdfium.FPDFImageObj_GetImageFilter(image, 0, room, 64)
  const least = length > 0 && length <= 64 ? leastBytes[pdfium.pdfium.UTF8ToString(room)] : undefined
  return least !== undefined && pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0) >= least
}

/** Where on a fax page the pictures of a page lie that PDFium may leave undrawn. */
export function findPictures(pdfium: Pdfium, page: number, place: Placement): Place[] {
  const places: Place[] = []
  const room = allocate(pdfium, 64)
  const count = pdfium.FPDFPage_CountObjects(page)
  for (let index = 0; index < count && places.length < maxPictures; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    if (pdfium.FPDFPageObj_GetType(object) !== imageType || !mayBeLeft(pdfium, object, room)) continue
    if (!pdfium.FPDFPageObj_GetBounds(object, room, room + 4, room + 8, room + 12)) continue
    const [left, bottom, right, top] = pdfium.pdfium.HEAPF32.slice(room >> 2, (room >> 2) + 4)
    const [first, second] = [toDevice(pdfium, page, place, left!, bottom!), toDevice(pdfium, page, place, right!, top!)]
    const corner = { left: Math.min(first.x, second.x), top: Math.min(first.y, second.y) }
    places.push({ ...corner, width: Math.abs(first.x - second.x), height: Math.abs(first.y - second.y) })
  }
  release(pdfium, room)
  return places
}

function toDevice(pdfium: Pdfium, page: number, { left, top, width, height, turned }: Placement, x: number, y: number) {
  const room = allocate(pdfium, 8)
  pdfium.FPDF_PageToDevice(page, left, top, width, height, turned ? 1 : 0, x, y, room, room + 4)
  const [across, down] = pdfium.pdfium.HEAP32.slice(room >> 2, (room >> 2) + 2)
  release(pdfium, room)
  return { x: across!, y: down! }
}

/** The parts of places on the page, of those that are quite white. */
export function undrawn(places: readonly Place[], { pixels, width, height }: Gray): Place[] {
  return places.flatMap((place) => {
    const [left, top] = [Math.max(0, place.left), Math.max(0, place.top)]
    const [right, bottom] = [Math.min(width, place.left + place.width), Math.min(height, place.top + place.height)]
    if (right - left < leastSide || bottom - top < leastSide) return []
    // What lies beside it may reach into its edges.
    for (let y = top + 1; y < bottom - 1; y++) {
      const row = pixels.subarray(y * width + left + 1, y * width + right - 1)
      if (row.some((tone) => tone !== 255)) return []
    }
    return [{ left, top, width: right - left, height: bottom - top }]
  })
}
