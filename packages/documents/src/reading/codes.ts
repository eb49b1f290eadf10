import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Bitmap } from '../raster/bitmap.ts'
import type { PageCode } from './page-text.ts'

/** More on one page are a sheet of labels. */
const mostCodes = 20
const longestText = 4000
/** Rows that are looked at. */
const mostRows = 10_000

/** The part of ZXing's reader that is used here; its own types declare WebAssembly anew, for browsers. */
interface Reader {
  prepareZXingModule: (options: { overrides: { wasmBinary: ArrayBuffer } }) => void
  readBarcodes: (
    image: Uint8Array,
    options: { tryHarder: boolean; maxNumberOfSymbols: number; textMode: 'Plain' },
  ) => Promise<{ isValid: boolean; format: string; text: string; position: { topLeft: { y: number } } }[]>
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
  const found = await openReader().readBarcodes(greyMap(page), {
    tryHarder: true,
    maxNumberOfSymbols: mostCodes,
    textMode: 'Plain',
  })
  const codes = found
    .filter(({ isValid, text }) => isValid && text !== '')
    .toSorted((a, b) => a.position.topLeft.y - b.position.topLeft.y)
    .map(({ format, text }) => ({ format, text: text.slice(0, longestText) }))
  return codes.filter((code, at) => codes.findIndex(({ text }) => text === code.text) === at)
}

/** The page as a portable grey map, which ZXing's reader takes. */
function greyMap({ width, height: rows, rowWords, words }: Bitmap): Uint8Array {
  const height = Math.min(rows, mostRows)
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1')
  const map = Buffer.alloc(head.length + width * height, 255)
  map.set(head)
  for (let y = 0; y < height; y++) {
    const row = head.length + y * width
    for (let x = 0; x < width; x++) if ((words[y * rowWords + (x >>> 5)]! >>> (31 - (x & 31))) & 1) map[row + x] = 0
  }
  return map
}
