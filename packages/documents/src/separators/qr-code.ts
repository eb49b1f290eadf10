import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import type { PdfImage } from '../pdf-file/write.ts'

/** The part of ZXing's writer that is used here; its own types declare WebAssembly again, for browsers. */
interface Writer {
  prepareZXingModule: (options: { overrides: { wasmBinary: ArrayBuffer } }) => void
  writeBarcode: (
    text: string,
    options: { format: 'QRCode'; options: string },
  ) => Promise<{ error: string; symbol: { data: Uint8Array; width: number; height: number } }>
}

const require = createRequire(import.meta.url)
let writer: Writer | undefined

/** The program comes from its package; by itself it would be fetched from the network. */
function openWriter(): Writer {
  if (writer) return writer
  writer = require('zxing-wasm/writer') as Writer
  const wasmBinary = new Uint8Array(readFileSync(require.resolve('zxing-wasm/writer/zxing_writer.wasm'))).buffer
  writer.prepareZXingModule({ overrides: { wasmBinary } })
  return writer
}

/** Pixels of a module: viewers that smooth pictures then smooth nothing that matters. */
const moduleSize = 8

/** A QR code (ISO/IEC 18004) without its quiet zone; a quarter of it may be lost (level Q). */
export async function qrCode(text: string): Promise<PdfImage> {
  const { error, symbol } = await openWriter().writeBarcode(text, { format: 'QRCode', options: 'ecLevel=Q' })
  if (error !== '') throw new Error(`The QR code could not be made. ${error}`)
  const { width: across, height: down, data: modules } = symbol
  const width = across * moduleSize
  const height = down * moduleSize
  const pixels = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / moduleSize) * across
    for (let x = 0; x < width; x++) pixels[y * width + x] = modules[row + Math.floor(x / moduleSize)]!
  }
  const entries = '/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode'
  return { width, height, entries, data: deflateSync(pixels) }
}
