import sharp from 'sharp'
import { checkPixels, type Limits } from '../base/limits.ts'
import { requireMemory } from '../base/memory.ts'
import { DocumentProblem } from '../base/problem.ts'

/** Values of biCompression that are read; with `masks` the header says where the colors of a pixel stand. */
const compression = { plain: 0, runs8: 1, runs4: 2, masks: 3, alphaMasks: 6 }
const usualMasks: Partial<Record<number, readonly number[]>> = {
  16: [0x7c00, 0x3e0, 0x1f],
  24: [0xff0000, 0xff00, 0xff],
  32: [0xff0000, 0xff00, 0xff],
}
const dotsAMeterPerInch = 0.0254

interface Header {
  width: number
  height: number
  /** Rows come from the top. */
  downward: boolean
  bits: number
  /** Offset of the first row. */
  pixels: number
  /** Red, green and blue of each color; undefined where pixels hold their colors themselves. */
  palette: Uint8Array | undefined
  masks: readonly number[]
  density: number | undefined
  /** Pixels are stored as runs. */
  isPacked: boolean
}

/** A Windows bitmap as a PNG of the same pixels. Throws `broken`, `unsupported` and `too_large`. */
export async function bmpToPng(bytes: Uint8Array, limits: Limits): Promise<Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const header = readHeader(file)
  const { width, height, density } = header
  checkPixels(width, height, limits)
  requireMemory(2 * 3 * width * height)
  const bits = header.isPacked ? 8 : header.bits
  const stored = header.isPacked ? unpack(file.subarray(header.pixels), header) : file.subarray(header.pixels)
  const rowBytes = header.isPacked ? width : Math.ceil((width * bits) / 32) * 4
  if (rowBytes * height > stored.length) throw damaged()
  const colors = Buffer.alloc(3 * width * height)
  for (let y = 0; y < height; y++) {
    const row = rowBytes * (header.downward ? y : height - 1 - y)
    const to = colors.subarray(3 * width * y, 3 * width * (y + 1))
    readRow(stored.subarray(row, row + rowBytes), { ...header, bits }, to)
  }
  const image = sharp(colors, { raw: { width, height, channels: 3 } }).png({ compressionLevel: 1 })
  return density === undefined ? image.toBuffer() : image.withMetadata({ density }).toBuffer()
}

/** BITMAPFILEHEADER and the header behind it: BITMAPCOREHEADER of 12 bytes, or BITMAPINFOHEADER and its successors. */
function readHeader(file: Buffer): Header {
  if (file.length < 54) throw damaged()
  const [pixels, size] = [file.readUInt32LE(10), file.readUInt32LE(14)]
  const isCore = size === 12
  if (!isCore && size < 40) throw damaged()
  const width = isCore ? file.readUInt16LE(18) : file.readInt32LE(18)
  const rows = isCore ? file.readUInt16LE(20) : file.readInt32LE(22)
  const bits = file.readUInt16LE(isCore ? 24 : 28)
  if (width < 1 || rows === 0 || ![1, 2, 4, 8, 16, 24, 32].includes(bits)) throw damaged()
  const packed = isCore ? compression.plain : file.readUInt32LE(30)
  const runBits = { [compression.runs8]: 8, [compression.runs4]: 4 }[packed]
  if (runBits !== undefined && (runBits !== bits || rows < 0)) throw damaged()
  const dotsAMeter = isCore ? 0 : file.readInt32LE(38)
  return {
    width,
    height: Math.abs(rows),
    downward: rows < 0,
    bits,
    pixels,
    palette: bits > 8 ? undefined : readPalette(file.subarray(14 + size, pixels), isCore ? 3 : 4),
    masks: runBits === undefined ? readMasks(file, bits, packed) : [],
    isPacked: runBits !== undefined,
    density: dotsAMeter > 0 ? Math.round(dotsAMeter * dotsAMeterPerInch) : undefined,
  }
}

function readMasks(file: Buffer, bits: number, packed: number): readonly number[] {
  if (packed === compression.plain) return usualMasks[bits] ?? []
  if (packed !== compression.masks && packed !== compression.alphaMasks) {
    throw new DocumentProblem(
      'unsupported',
      'Compressed BMP images cannot be read. Save the image as PNG and send that.',
    )
  }
  if (bits < 16 || file.length < 66) throw damaged()
  return [file.readUInt32LE(54), file.readUInt32LE(58), file.readUInt32LE(62)]
}

/**
 * The colors of pixels that are stored as runs, a byte each, row by row (BI_RLE8 and BI_RLE4 of wingdi.h). What runs pass
 * over has the first color.
 */
function unpack(data: Buffer, { width, height, bits }: Header): Buffer {
  const colors = Buffer.alloc(width * height)
  let [x, y, at] = [0, 0, 0]
  for (; at + 1 < data.length && y < height;) {
    const [count = 0, value = 0] = data.subarray(at, (at += 2))
    if (count === 0 && value === 1) return colors
    if (count === 0 && value === 0) [x, y] = [0, y + 1]
    else if (count === 0 && value === 2) [x, y, at] = [x + (data[at] ?? 0), y + (data[at + 1] ?? 0), at + 2]
    else {
      const length = count || value
      for (let n = 0; n < Math.min(length, width - x); n++) {
        const byte = count > 0 ? value : data[at + ((n * bits) >> 3)]!
        colors[y * width + x + n] = bits === 8 ? byte : (byte >> (n % 2 ? 0 : 4)) & 15
      }
      x += length
      if (count === 0) at += 2 * Math.ceil((length * bits) / 16)
    }
  }
  if (y < height - 1) throw damaged()
  return colors
}

function readPalette(entries: Buffer, entryBytes: number): Uint8Array {
  const palette = new Uint8Array(3 * 256)
  for (let at = 0; at < 256 && (at + 1) * entryBytes <= entries.length; at++) {
    for (let part = 0; part < 3; part++) palette[3 * at + part] = entries[entryBytes * at + 2 - part] ?? 0
  }
  return palette
}

function readRow(row: Buffer, { width, bits, palette, masks }: Header, to: Uint8Array): void {
  const bytes = bits >> 3
  for (let x = 0; x < width; x++) {
    if (palette) {
      const at = x * bits
      const color = (row[at >> 3]! >> (8 - bits - (at & 7))) & ((1 << bits) - 1)
      to.set(palette.subarray(3 * color, 3 * color + 3), 3 * x)
    } else {
      const pixel = row.readUIntLE(x * bytes, bytes)
      masks.forEach((mask, part) => (to[3 * x + part] = partOf(pixel, mask)))
    }
  }
}

/** The bits of a pixel that a mask names, as 0 to 255. */
function partOf(pixel: number, mask: number): number {
  if (mask === 0) return 0
  const lowest = (mask & -mask) >>> 0
  return Math.round((255 * ((pixel & mask) >>> 0)) / lowest / (mask / lowest))
}

function damaged(): DocumentProblem {
  return new DocumentProblem(
    'broken',
    'The BMP image is damaged or cut off. Save it again, preferably as PNG, and send that file.',
  )
}
