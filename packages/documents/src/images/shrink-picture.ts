import { crc32, createInflate } from 'node:zlib'
import type { Limits } from '../base/limits.ts'
import { checkPixels } from '../base/limits.ts'
import type { GrayImage } from '../raster/scale.ts'
import { DocumentProblem } from '../base/problem.ts'
import { shrinkFile, shrinkGray } from './image-read.ts'

/** A picture as a PDF has it: a JPEG, or deflated rows of gray or of red, green and blue in 8 bits each. */
export interface PdfPicture {
  coding: string
  /** Deflated rows are filtered as those of a PNG. */
  isFiltered: boolean
  data: Uint8Array
  width: number
  height: number
  channels: 1 | 3
  shown: { width: number; height: number }
}

/**
 * A picture in gray, of as many pixels as are shown of it, decoded a part at a time. Undefined when it is damaged, or
 * is not what its PDF says: readers draw what there is of such a one.
 */
export async function shrinkPicture(picture: PdfPicture, limits: Limits): Promise<GrayImage | undefined> {
  try {
    checkPixels(picture.width, picture.height, limits)
    if (picture.coding === 'DCTDecode') return grayOf(await shrinkFile(picture.data, 'JPEG', picture, limits))
    if (picture.isFiltered) return grayOf(await shrinkFile(asPng(picture), 'PNG', picture, limits))
    return await inflateAndShrink(picture)
  } catch (problem) {
    if (problem instanceof DocumentProblem || (problem instanceof Error && 'code' in problem)) return undefined
    throw problem
  }
}

interface Pixels {
  pixels: Uint8Array
  width: number
  height: number
  channels: number
}

/** A picture in gray. */
function grayOf({ pixels, width, height, channels }: Pixels): GrayImage {
  if (channels === 1) return { pixels, width, height }
  const gray = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < gray.length; at++, from += 3) {
    gray[at] = (red * pixels[from]! + green * pixels[from + 1]! + blue * pixels[from + 2]!) / 100
  }
  return { pixels: gray, width, height }
}

/** Deflated rows with filters as a PNG (ISO/IEC 15948), of which they are the one part that matters. */
function asPng({ data, width, height, channels }: PdfPicture): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, channels === 3 ? 2 : 0], 8)
  const chunk = (name: string, body: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(body.length)
    check.writeUInt32BE(crc32(named))
    return [length, named, check]
  }
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, ...chunk('IHDR', header), ...chunk('IDAT', data), ...chunk('IEND', Buffer.of())])
}

/** Averages squares of pixels while rows are inflated, and scales what is left of the picture. */
async function inflateAndShrink(picture: PdfPicture): Promise<GrayImage | undefined> {
  const { width, height, channels, shown } = picture
  const squares = new Squares(width, height, channels, Math.floor(Math.min(width / shown.width, height / shown.height)))
  const row = new Uint8Array(width * channels + wordBytes)
  const inflating = createInflate({ chunkSize: 2 ** 20 })
  inflating.end(picture.data)
  let filled = 0
  for await (const piece of inflating as AsyncIterable<Uint8Array>) {
    for (let at = 0; at < piece.length && !squares.isFull;) {
      const some = piece.subarray(at, at + width * channels - filled)
      row.set(some, filled)
      filled += some.length
      at += some.length
      if (filled < width * channels) continue
      squares.add(row)
      filled = 0
    }
  }
  return squares.isFull ? grayOf(await shrinkGray(squares.gray, shown)) : undefined
}

const wordBytes = 4
/** Rows of which the sums of bytes fit into half a word. */
const maxTimes = 256
/** Shares of red, green and blue in gray, in percent, as PDFium has them. */
const [red, green, blue] = [30, 59, 11]

/** A picture of which each square of `times` pixels a side becomes a pixel in gray. */
class Squares {
  readonly gray: GrayImage
  readonly #width: number
  readonly #height: number
  readonly #channels: 1 | 3
  readonly #times: number
  /** Sums of the bytes in even and in odd places of some rows, two in a word. */
  readonly #even: Uint32Array
  readonly #odd: Uint32Array
  /** Of the columns of those rows, a hundred times. */
  readonly #tones: Int32Array
  #rows = 0

  constructor(width: number, height: number, channels: 1 | 3, times: number) {
    this.#times = Math.max(1, Math.min(maxTimes, times))
    const small = { width: Math.ceil(width / this.#times), height: Math.ceil(height / this.#times) }
    this.gray = { ...small, pixels: new Uint8Array(small.width * small.height) }
    ;[this.#width, this.#height, this.#channels] = [width, height, channels]
    const words = Math.ceil((width * channels) / wordBytes)
    ;[this.#even, this.#odd] = [new Uint32Array(words + 1), new Uint32Array(words + 1)]
    this.#tones = new Int32Array(width + 1)
  }

  get isFull(): boolean {
    return this.#rows === this.#height
  }

  /** Adds a row, which may have a few bytes behind it. */
  add(row: Uint8Array): void {
    const [even, odd] = [this.#even, this.#odd]
    const words = new Uint32Array(row.buffer, 0, even.length - 1)
    for (let at = 0; at < words.length; at++) {
      even[at]! += words[at]! & 0xff00ff
      odd[at]! += (words[at]! >>> 8) & 0xff00ff
    }
    this.#rows++
    if (this.#rows % this.#times === 0 || this.isFull) this.#finishRow()
  }

  #finishRow(): void {
    const [even, odd] = [new Uint16Array(this.#even.buffer), new Uint16Array(this.#odd.buffer)]
    const times = this.#times
    const line = Math.ceil(this.#rows / times) - 1
    const rows = this.#rows - line * times
    setTones(this.#tones, even, odd, this.#channels)
    const [tones, { pixels, width }] = [this.#tones, this.gray]
    for (let x = 0, column = 0; x < width; x++) {
      const from = column
      const to = Math.min(this.#width, from + times)
      let sum = 0
      while (column < to) sum += tones[column++]!
      pixels[line * width + x] = sum / (100 * rows * (to - from))
    }
    this.#even.fill(0)
    this.#odd.fill(0)
  }
}

/** Tones of columns, two at a step, from the sums of their bytes in even and in odd places. */
function setTones(tones: Int32Array, even: Uint16Array, odd: Uint16Array, channels: 1 | 3): void {
  if (channels === 1) {
    for (let x = 0; x < tones.length; x++) tones[x] = 100 * ((x & 1) === 0 ? even : odd)[x >> 1]!
    return
  }
  for (let x = 0, at = 0; x < tones.length; x += 2, at += 3) {
    tones[x] = red * even[at]! + green * odd[at]! + blue * even[at + 1]!
    tones[x + 1] = red * odd[at + 1]! + green * even[at + 2]! + blue * odd[at + 2]!
  }
}
