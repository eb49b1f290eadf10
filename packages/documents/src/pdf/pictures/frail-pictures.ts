import { hash } from 'node:crypto'
import type { Gray } from '../../raster/gray-tiles.ts'
import type { Place } from '../../raster/page-notes.ts'
import type { Placement } from '../../raster/paper.ts'
import { join } from '../matrix.ts'
import type { Matrix } from '../matrix.ts'
import { allocate, release } from '../pdfium.ts'
import type { Pdfium } from '../pdfium.ts'
import { isPlain } from './scan-images.ts'
import type { ScanImages } from './scan-images.ts'

/** Kinds of objects of fpdf_edit.h. */
const type = { image: 3, form: 5 }
/** A picture of nothing but white takes less than this in the codings that PDFium may leave undrawn. */
const leastBytes: Readonly<Record<string, number>> = { JBIG2Decode: 400, JPXDecode: 4000 }
/** Codings of which PDFium draws what there is when the data is damaged. */
const codings = ['DCTDecode', 'FlateDecode', 'CCITTFaxDecode'] as const
/** Pictures that are looked at, and pixels that one must have on the page to be seen. */
const maxPictures = 200
const leastSide = 8
const maxDepth = 8
/** Coded bytes that are looked at on a page: a picture may be drawn as often as the page likes. */
const maxBytes = 2 ** 28

/** A picture on a page, as the file codes it, its size in pixels, and where it lies on the fax page. */
export interface CodedPicture {
  /** The same for pictures that are the same. */
  name: string
  coding: (typeof codings)[number]
  data: Uint8Array
  width: number
  height: number
  place: Place
}

/** The pictures of a page that PDFium may leave undrawn, and those of which it draws what there is. */
export interface FrailPictures {
  undrawn: Place[]
  coded: CodedPicture[]
}

/** Whether a picture holds more than white, in a coding that PDFium may leave undrawn. `room` is 64 bytes of its memory. */
export function mayBeLeft(pdfium: Pdfium, image: number, room: number): boolean {
  const length = pdfium.FPDFImageObj_GetImageFilter(image, 0, room, 64)
  const least = length > 0 && length <= 64 ? leastBytes[pdfium.pdfium.UTF8ToString(room)] : undefined
  return least !== undefined && pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0) >= least
}

/**
 * The frail pictures of a page, also those in parts that it shows, and where they lie on the fax page. Of those in T.6
 * only the ones in `images`: PDFium does not tell how the others are coded.
 */
export function findPictures(pdfium: Pdfium, page: number, place: Placement, images: ScanImages): FrailPictures {
  const found: FrailPictures = { undrawn: [], coded: [] }
  const room = allocate(pdfium, 64)
  const taken = new Taken(pdfium)
  const look = (object: number, within: Matrix, depth: number): void => {
    if (found.undrawn.length + found.coded.length >= maxPictures) return
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind === type.image) {
      const coded = codedPicture(taken, page, object, images, room)
      if (!coded && !mayBeLeft(pdfium, object, room)) return
      const where = placeOf(pdfium, page, place, object, within, room)
      if (!where) return
      if (coded) found.coded.push({ ...coded, place: where })
      else found.undrawn.push(where)
    } else if (kind === type.form && depth < maxDepth) {
      const inner = matrixOf(pdfium, object, room)
      const count = pdfium.FPDFFormObj_CountObjects(object)
      for (let index = 0; index < count; index++)
        look(pdfium.FPDFFormObj_GetObject(object, index), inner ? join(inner, within) : within, depth + 1)
    }
  }
  const count = pdfium.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index++) look(pdfium.FPDFPage_GetObject(page, index), [1, 0, 0, 1, 0, 0], 0)
  release(pdfium, room)
  return found
}

/** A picture in one of the codings; undefined for others, and where filters stand before one that PDFium undoes as well. */
function codedPicture(taken: Taken, page: number, image: number, images: ScanImages, room: number) {
  const { pdfium } = taken
  const filters = pdfium.FPDFImageObj_GetImageFilterCount(image)
  const length = filters === 0 ? 0 : pdfium.FPDFImageObj_GetImageFilter(image, filters - 1, room, 64)
  const name = length > 0 && length <= 64 ? pdfium.pdfium.UTF8ToString(room) : ''
  const coding = codings.find((known) => known === name)
  if (!coding || (filters > 1 && coding !== 'DCTDecode')) return undefined
  if (!pdfium.FPDFImageObj_GetImageMetadata(image, page, room)) return undefined
  const [width = 0, height = 0] = pdfium.pdfium.HEAP32.subarray(room >> 2, (room >> 2) + 2)
  if (width <= 0 || height <= 0) return undefined
  if (coding === 'CCITTFaxDecode' && !isPlain(images, coding, width, height)) return undefined
  const found = taken.data(image, coding !== 'DCTDecode')
  return found && { ...found, name: `${coding} ${width} ${height} ${found.name}`, coding, width, height }
}

/** The data of the pictures of a page, of equal ones once. */
class Taken {
  readonly pdfium: Pdfium
  readonly #known = new Map<string, Uint8Array>()
  #bytes = 0

  constructor(pdfium: Pdfium) {
    this.pdfium = pdfium
  }

  /** Of an image, as the file holds it or with every filter undone but the last; undefined when the page has had enough. */
  data(image: number, isRaw: boolean): { name: string; data: Uint8Array } | undefined {
    const { pdfium } = this
    const get = isRaw ? pdfium.FPDFImageObj_GetImageDataRaw : pdfium.FPDFImageObj_GetImageDataDecoded
    this.#bytes += get(image, 0, 0)
    if (this.#bytes > maxBytes) return undefined
    return useData(pdfium, get, image, (view) => {
      const name = hash('sha256', view)
      const data = this.#known.get(name) ?? view.slice()
      this.#known.set(name, data)
      return { name, data }
    })
  }
}

/** The data of an image as the file holds it. */
export function rawData(pdfium: Pdfium, image: number): Uint8Array {
  return useData(pdfium, pdfium.FPDFImageObj_GetImageDataRaw, image, (view) => view.slice())
}

type GetData = (image: number, at: number, length: number) => number

/** Has PDFium write the data of an image into its memory, and lets `use` see it there. */
function useData<T>(pdfium: Pdfium, get: GetData, image: number, use: (view: Uint8Array) => T): T {
  const length = get(image, 0, 0)
  const at = allocate(pdfium, length)
  get(image, at, length)
  const result = use(pdfium.pdfium.HEAPU8.subarray(at, at + length))
  release(pdfium, at)
  return result
}

function matrixOf(pdfium: Pdfium, object: number, room: number): Matrix | undefined {
  if (!pdfium.FPDFPageObj_GetMatrix(object, room)) return undefined
  return [...pdfium.pdfium.HEAPF32.subarray(room >> 2, (room >> 2) + 6)] as unknown as Matrix
}

/** Where the unit square of an image lies on the fax page, upright around it. */
function placeOf(
  pdfium: Pdfium,
  page: number,
  place: Placement,
  image: number,
  within: Matrix,
  room: number,
): Place | undefined {
  const own = matrixOf(pdfium, image, room)
  if (!own) return undefined
  const [a, b, c, d, e, f] = join(own, within)
  const corners = [
    [e, f],
    [e + a, f + b],
    [e + c, f + d],
    [e + a + c, f + b + d],
  ].map(([x = 0, y = 0]) => toDevice(pdfium, page, place, x, y))
  const [across, down] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [left, top] = [Math.min(...across), Math.min(...down)]
  return { left, top, width: Math.max(...across) - left, height: Math.max(...down) - top }
}

function toDevice(pdfium: Pdfium, page: number, { left, top, width, height, turned }: Placement, x: number, y: number) {
  const room = allocate(pdfium, 8)
  pdfium.FPDF_PageToDevice(page, left, top, width, height, turned ? 1 : 0, x, y, room, room + 4)
  const [across, down] = pdfium.pdfium.HEAP32.slice(room >> 2, (room >> 2) + 2)
  release(pdfium, room)
  return { x: across!, y: down! }
}

/** The part of a place that is on the page; undefined when it is too small to be seen. */
export function onPage(place: Place, { width, height }: { width: number; height: number }): Place | undefined {
  const [left, top] = [Math.max(0, place.left), Math.max(0, place.top)]
  const [right, bottom] = [Math.min(width, place.left + place.width), Math.min(height, place.top + place.height)]
  if (right - left < leastSide || bottom - top < leastSide) return undefined
  return { left, top, width: right - left, height: bottom - top }
}

/** The parts of places on the page, of those that are quite white. */
export function whiteOnes(places: readonly Place[], gray: Gray): Place[] {
  return places.flatMap((place) => {
    const seen = onPage(place, gray)
    if (!seen) return []
    const { left, top, width, height } = seen
    // What lies beside it may reach into its edges.
    for (let y = top + 1; y < top + height - 1; y++) {
      const row = gray.pixels.subarray(y * gray.width + left + 1, y * gray.width + left + width - 1)
      if (row.some((tone) => tone !== 255)) return []
    }
    return [seen]
  })
}
