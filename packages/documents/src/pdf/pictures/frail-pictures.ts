import { hash } from 'node:crypto'
import type { Gray } from '../../raster/gray-tiles.ts'
import type { Place } from '../../raster/page-notes.ts'
import type { Placement } from '../../raster/paper.ts'
import { join, type Matrix } from '../matrix.ts'
import {
  filterOf,
  kindOf,
  kinds,
  matrixOf,
  metadataOf,
  objectsIn,
  objectsOn,
  toFaxPage,
  useData,
} from '../page-objects.ts'
import type { Pdfium } from '../pdfium.ts'
import { isPlain, type ScanImages } from './scan-images.ts'

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

/** Whether a picture holds more than white, in a coding that PDFium may leave undrawn. */
export function mayBeLeft(pdfium: Pdfium, image: number): boolean {
  const least = leastBytes[filterOf(pdfium, image, 0)]
  return least !== undefined && pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0) >= least
}

/**
 * The frail pictures of a page, also those in parts that it shows, and where they lie on the fax page. Of those in T.6
 * only the ones in `images`: PDFium does not tell how the others are coded.
 */
export function findPictures(pdfium: Pdfium, page: number, place: Placement, images: ScanImages): FrailPictures {
  const found: FrailPictures = { undrawn: [], coded: [] }
  const taken = new Taken(pdfium)
  const look = (object: number, within: Matrix, depth: number): void => {
    if (found.undrawn.length + found.coded.length >= maxPictures) return
    const kind = kindOf(pdfium, object)
    if (kind === kinds.image) {
      const coded = codedPicture(taken, page, object, images)
      if (!coded && !mayBeLeft(pdfium, object)) return
      const where = placeOf(pdfium, object, within)
      if (!where) return
      if (coded) found.coded.push({ ...coded, place: where })
      else found.undrawn.push(where)
    } else if (kind === kinds.form && depth < maxDepth) {
      const inner = matrixOf(pdfium, object)
      for (const part of objectsIn(pdfium, object)) look(part, inner ? join(inner, within) : within, depth + 1)
    }
  }
  const toFax = toFaxPage(pdfium, page, place)
  for (const object of objectsOn(pdfium, page)) look(object, toFax, 0)
  return found
}

/** A picture in one of the codings; undefined for others, and where filters stand before one that PDFium undoes as well. */
function codedPicture(taken: Taken, page: number, image: number, images: ScanImages) {
  const { pdfium } = taken
  const filters = pdfium.FPDFImageObj_GetImageFilterCount(image)
  const name = filterOf(pdfium, image, filters - 1)
  const coding = codings.find((known) => known === name)
  if (!coding || (filters > 1 && coding !== 'DCTDecode')) return undefined
  const { width, height } = metadataOf(pdfium, page, image) ?? { width: 0, height: 0 }
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

/** Where the unit square of an image lies on the fax page, upright around it. */
function placeOf(pdfium: Pdfium, image: number, toFax: Matrix): Place | undefined {
  const own = matrixOf(pdfium, image)
  if (!own) return undefined
  const [a, b, c, d, e, f] = join(own, toFax)
  const [across, down] = [
    [e, e + a, e + c, e + a + c].map(Math.round),
    [f, f + b, f + d, f + b + d].map(Math.round),
  ] as [number[], number[]]
  const [left, top] = [Math.min(...across), Math.min(...down)]
  return { left, top, width: Math.max(...across) - left, height: Math.max(...down) - top }
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
