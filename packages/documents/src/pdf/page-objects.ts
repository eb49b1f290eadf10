import type { Placement } from '../raster/paper.ts'
import type { Matrix } from './matrix.ts'
import { type Pdfium, withMemory } from './pdfium.ts'

/** Kinds of the objects of a page (fpdf_edit.h). */
export const kinds = { text: 1, path: 2, image: 3, shading: 4, form: 5 }

/** The render mode of text that is there to be searched, as in scans. */
const invisibleText = 3

/** The objects that a page draws itself, at most `max` of them. */
export function objectsOn(pdfium: Pdfium, page: number, max = Infinity): number[] {
  const length = Math.min(max, pdfium.FPDFPage_CountObjects(page))
  return Array.from({ length }, (_, index) => pdfium.FPDFPage_GetObject(page, index))
}

/** The objects in a group, at most `max` of them. */
export function objectsIn(pdfium: Pdfium, form: number, max = Infinity): number[] {
  const length = Math.min(max, pdfium.FPDFFormObj_CountObjects(form))
  return Array.from({ length }, (_, index) => pdfium.FPDFFormObj_GetObject(form, index))
}

export const kindOf = (pdfium: Pdfium, object: number): number => pdfium.FPDFPageObj_GetType(object)

/** Whether an object is text that is not drawn. */
export const isUnseenText = (pdfium: Pdfium, object: number): boolean =>
  kindOf(pdfium, object) === kinds.text && pdfium.FPDFTextObj_GetTextRenderMode(object) === invisibleText

/** Numbers that the last call left in `pdfium.room`. */
export const floatsOf = ({ pdfium, room }: Pdfium, count: number): number[] =>
  Array.from(pdfium.HEAPF32.subarray(room >> 2, (room >> 2) + count))
export const integersOf = ({ pdfium, room }: Pdfium, count: number): number[] =>
  Array.from(pdfium.HEAP32.subarray(room >> 2, (room >> 2) + count))

/** The edges of an object in points of its page, and its width and height. */
export interface Bounds {
  left: number
  bottom: number
  right: number
  top: number
  width: number
  height: number
}

/** The bounds of an object; undefined when PDFium does not know them. */
export function boundsOf(pdfium: Pdfium, object: number): Bounds | undefined {
  const { room } = pdfium
  if (!pdfium.FPDFPageObj_GetBounds(object, room, room + 4, room + 8, room + 12)) return undefined
  const [left = 0, bottom = 0, right = 0, top = 0] = floatsOf(pdfium, 4)
  return { left, bottom, right, top, width: right - left, height: top - bottom }
}

/** What an object is drawn with; undefined when PDFium does not know it. */
export function matrixOf(pdfium: Pdfium, object: number): Matrix | undefined {
  if (!pdfium.FPDFPageObj_GetMatrix(object, pdfium.room)) return undefined
  return floatsOf(pdfium, 6) as unknown as Matrix
}

/** Points so far apart that whole pixels tell the way from the page to the fax page exactly enough. */
const far = 10_000

/** The way from points of a page to pixels of the fax page that it is placed on. */
export function toFaxPage(pdfium: Pdfium, page: number, place: Placement): Matrix {
  const { left, top, width, height, turned } = place
  const { room } = pdfium
  const [origin, across, up] = ([0, 1, 2] as const).map((way) => {
    const [x, y] = [way === 1 ? far : 0, way === 2 ? far : 0]
    pdfium.FPDF_PageToDevice(page, left, top, width, height, turned ? 1 : 0, x, y, room, room + 4)
    return integersOf(pdfium, 2) as [number, number]
  }) as [[number, number], [number, number], [number, number]]
  const step = (to: [number, number], axis: 0 | 1) => (to[axis] - origin[axis]) / far
  return [step(across, 0), step(across, 1), step(up, 0), step(up, 1), ...origin]
}

/** What FPDF_IMAGEOBJ_METADATA says of an image: its size in pixels, bits of each pixel and color space. */
export function metadataOf(pdfium: Pdfium, page: number, image: number) {
  if (!pdfium.FPDFImageObj_GetImageMetadata(image, page, pdfium.room)) return undefined
  const [width = 0, height = 0, , , bits = 0, space = 0] = integersOf(pdfium, 6)
  return { width, height, bits, space }
}

/** The name of a filter of an image; empty where there is none, or none that is known. */
export function filterOf(pdfium: Pdfium, image: number, index: number): string {
  const length = index < 0 ? 0 : pdfium.FPDFImageObj_GetImageFilter(image, index, pdfium.room, 64)
  return length > 0 && length <= 64 ? pdfium.pdfium.UTF8ToString(pdfium.room) : ''
}

/** How an image is coded; empty where it is in several ways at once. */
export const codingOf = (pdfium: Pdfium, image: number): string =>
  pdfium.FPDFImageObj_GetImageFilterCount(image) === 1 ? filterOf(pdfium, image, 0) : ''

type GetData = (image: number, at: number, length: number) => number

/** Has PDFium write the data of an image into its memory, and lets `use` see it there. */
export function useData<T>(pdfium: Pdfium, get: GetData, image: number, use: (view: Uint8Array) => T): T {
  const length = get(image, 0, 0)
  return withMemory(pdfium, length, (at) => {
    get(image, at, length)
    return use(pdfium.pdfium.HEAPU8.subarray(at, at + length))
  })
}

/** The data of an image as the file holds it. */
export const rawData = (pdfium: Pdfium, image: number): Uint8Array =>
  useData(pdfium, pdfium.FPDFImageObj_GetImageDataRaw, image, (view) => view.slice())
