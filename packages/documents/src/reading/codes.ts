import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Bitmap } from '../raster/bitmap.ts'
import { portableGray, scaleToGray } from '../raster/scale.ts'
import { findDenseRows } from './dense-parts.ts'
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
  const rows = findDenseRows(page, Math.min(page.height, maxRows))
  if (!rows) return []
  const { width, rowWords, words } = page
  const height = rows.bottom - rows.top
  const part = { width, height, rowWords, words: words.subarray(rows.top * rowWords, rows.bottom * rowWords) }
  const found = await openReader().readBarcodes(portableGray(scaleToGray(part, width, height)), {
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
  // Half its size is fine enough for codes of an inch and more, and a quarter of the work.
  const height = Math.min(page.height, maxRows)
  const half = scaleToGray({ ...page, height }, page.width >>> 1, height >>> 1)
  const found = await openReader().readBarcodes(portableGray(half), {
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
