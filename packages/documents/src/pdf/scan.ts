import type { Bitmap } from '../raster/bitmap.ts'
import { allocate, release } from './pdfium.ts'
import type { Pdfium } from './pdfium.ts'
import { decodeT6 } from '../t4-t6/t6-decode.ts'

/** Of fpdf_edit.h and fpdfview.h: kinds of objects, text that is not drawn, and grey color spaces. */
const type = { text: 1, image: 3 }
const invisibleText = 3
const greySpaces = [1, 4]
/** A scan may end so many points beside the edges of its page. */
const margin = 0.5
/** Objects of a page at most: a scan and the words that were read on it. */
const mostObjects = 5000
/** Bytes in which a dictionary is looked for. */
const dictionaryBytes = 2000

/** Widths and heights of the images of a file that are coded with T.6. */
export type T6Images = ReadonlySet<string>

const nameOf = (width: number, height: number) => `${width} ${height}`

/**
 * The images of a PDF that are coded with T.6 and need nothing but decoding; undefined when one is coded or shown in
 * another way. PDFium does not tell how an image is coded, nor which object of the file it is: so all have to be alike.
 */
export function findT6Images(file: Uint8Array): T6Images | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const found = new Set<string>()
  for (let at = bytes.indexOf('/CCITTFaxDecode'); at !== -1; at = bytes.indexOf('/CCITTFaxDecode', at + 1)) {
    const before = bytes.toString('latin1', Math.max(0, at - dictionaryBytes), at)
    const after = bytes.toString('latin1', at, at + dictionaryBytes)
    const [start, end] = [before.lastIndexOf(' obj'), after.indexOf('stream')]
    const image = start >= 0 && end >= 0 ? readDictionary(before.slice(start) + after.slice(0, end)) : undefined
    if (!image) return undefined
    found.add(image)
  }
  return found.size > 0 ? found : undefined
}

/** Width and height of an image of T.6 codes that is shown black on white; undefined for any other. */
function readDictionary(text: string): string | undefined {
  const parameters = /\/DecodeParms\s*\[?\s*<<([^<>]*)>>/.exec(text)?.[1]
  if (parameters === undefined || /\/S?Mask\b|\/ImageMask\s+true/.test(text)) return undefined
  const numberOf = (key: string, within: string) =>
    Number(new RegExp(`/${key}\\s+(-?\\d+)(?!\\s+\\d+\\s+R)`).exec(within)?.[1])
  const [width, height] = [numberOf('Width', text), numberOf('Height', text)]
  const isLight = /\/BlackIs1\s+true/.test(parameters)
  const isTurned = /\/Decode\s*\[\s*1(\.0*)?\s+0(\.0*)?\s*\]/.test(text)
  const isPlain = !/\/Decode\s*\[/.test(text) || /\/Decode\s*\[\s*0(\.0*)?\s+1(\.0*)?\s*\]/.test(text)
  const isKnown = numberOf('K', parameters) < 0 && numberOf('Columns', parameters) === width && (isTurned || isPlain)
  if (!isKnown || isLight !== isTurned || /\/EncodedByteAlign\s+true/.test(parameters)) return undefined
  return nameOf(width, height)
}

/**
 * The bitmap of a page that is one image of `images` which covers it, beside text that is not drawn: such a page needs
 * no drawing, which takes ten times as long. Undefined for any other page, and when the image is damaged.
 */
export function readScan(pdfium: Pdfium, page: number, images: T6Images): Bitmap | undefined {
  const image = onlyImage(pdfium, page)
  if (image === undefined) return undefined
  const room = allocate(pdfium, 64)
  try {
    if (!coversPage(pdfium, page, image, room)) return undefined
    const size = sizeOfGrey(pdfium, page, image, room)
    if (!size || !images.has(nameOf(size.width, size.height)) || !isT6(pdfium, image, room)) return undefined
    const length = pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0)
    const data = allocate(pdfium, length)
    pdfium.FPDFImageObj_GetImageDataRaw(image, data, length)
    const { bitmap, rows } = decodeT6(pdfium.pdfium.HEAPU8.slice(data, data + length), size.width, size.height)
    release(pdfium, data)
    return rows === size.height ? bitmap : undefined
  } finally {
    release(pdfium, room)
  }
}

/** The image of a page that shows nothing else; one that may be hidden, clipped or seen through does not count. */
function onlyImage(pdfium: Pdfium, page: number): number | undefined {
  const count = pdfium.FPDFPage_CountObjects(page)
  if (count > mostObjects || pdfium.FPDFPage_GetAnnotCount(page) > 0) return undefined
  let image: number | undefined
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind === type.text && pdfium.FPDFTextObj_GetTextRenderMode(object) === invisibleText) continue
    if (kind !== type.image || image !== undefined) return undefined
    image = object
  }
  if (image === undefined || pdfium.FPDFPageObj_CountMarks(image) > 0) return undefined
  if (pdfium.FPDFPageObj_HasTransparency(image)) return undefined
  return pdfium.FPDFClipPath_CountPaths(pdfium.FPDFPageObj_GetClipPath(image)) > 0 ? undefined : image
}

/** Whether an image lies upright on the whole of a page that is shown upright. */
function coversPage(pdfium: Pdfium, page: number, image: number, room: number): boolean {
  const numbers = (count: number) => [...pdfium.pdfium.HEAPF32.subarray(room >> 2, (room >> 2) + count)]
  if (pdfium.FPDFPage_GetRotation(page) !== 0) return false
  if (!pdfium.FPDFPageObj_GetMatrix(image, room)) return false
  const [width = 0, skewed, slanted, height = 0, x = 0, y = 0] = numbers(6)
  if (skewed !== 0 || slanted !== 0) return false
  if (!pdfium.FPDF_GetPageBoundingBox(page, room)) return false
  const [left = 0, top = 0, right = 0, bottom = 0] = numbers(4)
  return [x - left, y - bottom, x + width - right, y + height - top].every((gap) => Math.abs(gap) <= margin)
}

/** Pixels of an image of one bit each in grey, as FPDF_IMAGEOBJ_METADATA of fpdf_edit.h has them. */
function sizeOfGrey(pdfium: Pdfium, page: number, image: number, room: number) {
  if (!pdfium.FPDFImageObj_GetImageMetadata(image, page, room)) return undefined
  const [width, height, , , bits, space] = pdfium.pdfium.HEAP32.subarray(room >> 2, (room >> 2) + 6)
  return bits === 1 && greySpaces.includes(space!) ? { width: width!, height: height! } : undefined
}

function isT6(pdfium: Pdfium, image: number, room: number): boolean {
  if (pdfium.FPDFImageObj_GetImageFilterCount(image) !== 1) return false
  const length = pdfium.FPDFImageObj_GetImageFilter(image, 0, room, 64)
  return length <= 64 && pdfium.pdfium.UTF8ToString(room) === 'CCITTFaxDecode'
}
