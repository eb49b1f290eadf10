import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { bitsIn } from '../raster/bitmap.ts'
import type { Bitmap } from '../raster/bitmap.ts'
import type { PageCode, PageMarks } from '../raster/page-text.ts'

/** More on one page are a sheet of labels. */
const maxCodes = 20
const longestText = 4000
/** Rows that are looked at. */
const maxRows = 10_000

/** The part of ZXing's reader that is used here; its own types declare WebAssembly again, for browsers. */
interface Reader {
  prepareZXingModule: (options: { overrides: { wasmBinary: ArrayBuffer } }) => void
  readBarcodes: (
    image: Uint8Array,
    options: {
      tryHarder: boolean
      maxNumberOfSymbols: number
      textMode: 'Plain'
      formats?: ['QRCode']
      returnErrors?: true
    },
  ) => Promise<Symbol[]>
}

interface Point {
  x: number
  y: number
}

interface Symbol {
  isValid: boolean
  format: string
  text: string
  position: { topLeft: Point; bottomRight: Point }
}

const require = createRequire(import.meta.url)
let reader: Reader | undefined

/** The program comes from its package; by itself it would be fetched from the network. */
function openReader(): Reader {
  if (reader) return reader
  reader = require('zxing-wasm/reader') as Reader
  const wasmBinary = new Uint8Array(readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer
  reader.prepareZXingModule({ overrides: { wasmBinary } })
  return reader
}

/** The barcodes and matrix codes on a fine fax page, from top to bottom, each content once. */
export async function codesOn(page: Bitmap): Promise<PageCode[]> {
  const found = await openReader().readBarcodes(grayMap(page), {
    tryHarder: true,
    maxNumberOfSymbols: maxCodes,
    textMode: 'Plain',
  })
  const codes = found
    .filter(({ isValid, text }) => isValid && text !== '')
    .toSorted((a, b) => a.position.topLeft.y - b.position.topLeft.y)
    .map(({ format, text }) => ({ format, text: text.slice(0, longestText) }))
  return codes.filter((code, at) => codes.findIndex(({ text }) => text === code.text) === at)
}

/** What is smaller than this share of the width of a page across is no code of a separator sheet. */
const largeMark = 1 / 8

/** The QR codes on a fine fax page, and whether there is a large one that cannot be read. */
export async function marksOn(page: Bitmap): Promise<PageMarks> {
  const found = await openReader().readBarcodes(halfMap(page), {
    tryHarder: true,
    maxNumberOfSymbols: maxCodes,
    textMode: 'Plain',
    formats: ['QRCode'],
    returnErrors: true,
  })
  const isLarge = ({ position: { topLeft, bottomRight } }: Symbol) =>
    Math.hypot(bottomRight.x - topLeft.x, bottomRight.y - topLeft.y) / Math.SQRT2 > (page.width / 2) * largeMark
  const texts = found.filter(({ isValid }) => isValid).map(({ text }) => text.slice(0, longestText))
  return { texts: [...new Set(texts)], hasUnreadable: found.some((each) => !each.isValid && isLarge(each)) }
}

/** The page as a portable gray map, which ZXing's reader takes. */
function grayMap({ width, height: rows, rowWords, words }: Bitmap): Uint8Array {
  const height = Math.min(rows, maxRows)
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1')
  const map = Buffer.alloc(head.length + width * height, 255)
  map.set(head)
  for (let y = 0; y < height; y++) {
    const row = head.length + y * width
    for (let x = 0; x < width; x++) if ((words[y * rowWords + (x >>> 5)]! >>> (31 - (x & 31))) & 1) map[row + x] = 0
  }
  return map
}

/** The page at half its size, which is fine enough for codes of an inch and more, and a quarter of the work. */
function halfMap({ width, height: rows, rowWords, words }: Bitmap): Uint8Array {
  const across = width >>> 1
  const height = Math.min(rows, maxRows) >>> 1
  const head = Buffer.from(`P5\n${across} ${height}\n255\n`, 'latin1')
  const map = Buffer.alloc(head.length + across * height)
  map.set(head)
  for (let y = 0; y < height; y++) {
    const upper = 2 * y * rowWords
    let at = head.length + y * across
    for (let x = 0; x < across; x++) {
      const word = x >>> 4
      const bits = 30 - ((2 * x) & 31)
      const black = ((words[upper + word]! >>> bits) & 3) | (((words[upper + rowWords + word]! >>> bits) & 3) << 2)
      map[at++] = grayOf[black]!
    }
  }
  return map
}

/** The gray of four pixels, by which of them are black. */
const grayOf = Uint8Array.from({ length: 16 }, (_, bits) => 255 - Math.round((255 * bitsIn(bits)) / 4))
