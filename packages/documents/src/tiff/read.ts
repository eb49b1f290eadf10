import { checkPages, checkPixels, type Limits } from '../base/limits.ts'
import { DocumentProblem } from '../base/problem.ts'
import { compression, fieldType, tag } from './tags.ts'
import { requireVariety } from './variety.ts'

/** One image of a TIFF file, its tags validated against the file. */
export interface TiffPage {
  /** Position in the file's chain of directories, from 0. */
  index: number
  width: number
  height: number
  /** 1 bit a pixel, one sample. */
  bilevel: boolean
  compression: number
  photometric: number
  /** 1, or 2 when the bits of each byte are reversed. */
  fillOrder: number
  t4Options: number
  orientation: number
  rowsPerStrip: number
  strips: { offset: number; length: number }[]
  /** Dots an inch; undefined when the file says nothing usable. */
  dots: { across: number; down: number } | undefined
}

interface Field {
  type: number
  count: number
  /** Offset of the first value. */
  at: number
}

type Directory = Map<number, Field>

const fieldBytes = new Map([
  [fieldType.byte, 1],
  [fieldType.ascii, 1],
  [fieldType.short, 2],
  [fieldType.long, 4],
  [fieldType.rational, 8],
  [fieldType.long8, 8],
  [fieldType.ifd8, 8],
] as [number, number][])

const reducedImage = 1
/** Far more than real files have; hostile ones cannot make reading slow by naming the same bytes again and again. */
const max = { entries: 4096, strips: 16_384 }

/**
 * Reads the directories of a TIFF 6.0 or BigTIFF file. Thumbnails are left out. Throws `broken` when a tag or a strip
 * points outside the file or a needed one is missing, `unsupported` for a variety that nothing here decodes,
 * `too_many_pages` and `too_large`. Decodes nothing.
 */
export function readTiff(bytes: Uint8Array, limits: Limits): TiffPage[] {
  const file = new TiffFile(bytes)
  const pages: TiffPage[] = []
  const seen = new Set<number>()
  let index = 0
  for (let offset = file.first; offset !== 0; index++) {
    if (seen.has(offset)) throw broken('its list of pages loops')
    // Every page may have a thumbnail.
    checkPages(Math.floor(index / 2), limits)
    seen.add(offset)
    const { directory, next } = file.directory(offset)
    if ((file.number(directory, tag.newSubfileType, 0) & reducedImage) === 0) {
      pages.push(readPage(file, directory, index))
      checkPages(pages.length, limits)
    }
    offset = next
  }
  if (pages.length === 0) {
    throw new DocumentProblem('empty', 'The TIFF file has no pages. Choose another file.')
  }
  for (const { width, height } of pages) checkPixels(width, height, limits)
  return pages
}

function readPage(file: TiffFile, directory: Directory, index: number): TiffPage {
  const width = file.number(directory, tag.imageWidth)
  const height = file.number(directory, tag.imageLength)
  if (width === 0 || height === 0) throw broken(`page ${index + 1} has no size`)
  const samples = file.number(directory, tag.samplesPerPixel, 1)
  const packed = file.number(directory, tag.compression, 1)
  const photometric = file.number(directory, tag.photometric, 0)
  const bits = file.number(directory, tag.bitsPerSample, 1)
  const planes = samples > 1 && file.number(directory, tag.planarConfiguration, 1) === 2
  requireVariety(index + 1, {
    compression: packed,
    tilesOfPlanes: planes && directory.has(tag.tileOffsets),
    labOfThreeBytes: isLab({ photometric }) && samples === 3 && bits === 8,
  })
  return {
    index,
    width,
    height,
    bilevel: samples === 1 && bits === 1,
    compression: packed,
    photometric,
    fillOrder: file.number(directory, tag.fillOrder, 1),
    t4Options: file.number(directory, tag.t4Options, 0),
    orientation: file.number(directory, tag.orientation, 1),
    rowsPerStrip: Math.min(height, Math.max(1, file.number(directory, tag.rowsPerStrip, height))),
    strips: readStrips(file, directory, index),
    dots: readDots(file, directory),
  }
}

/** The strips, in order; none for an image in tiles, which only the image library decodes. */
function readStrips(file: TiffFile, directory: Directory, index: number): { offset: number; length: number }[] {
  const offsets = file.numbers(directory, tag.stripOffsets)
  const lengths = file.numbers(directory, tag.stripByteCounts)
  return offsets.map((offset, strip) => {
    // Some fax programs leave the lengths out or 0: then a strip ends where the next one begins, or with the file.
    const length = lengths[strip] || nextOf(offsets, offset, file.length) - offset
    if (length <= 0 || offset + length > file.length) throw broken(`page ${index + 1} is cut off`)
    return { offset, length }
  })
}

function nextOf(offsets: readonly number[], offset: number, end: number): number {
  let next = end
  for (const other of offsets) if (other > offset && other < next) next = other
  return next
}

function readDots(file: TiffFile, directory: Directory): { across: number; down: number } | undefined {
  const perInch = file.number(directory, tag.resolutionUnit, 2) === 3 ? 2.54 : 1
  const across = file.ratio(directory, tag.xResolution) * perInch
  const down = file.ratio(directory, tag.yResolution) * perInch
  const usable = (dots: number) => dots >= 30 && dots <= 5000
  return usable(across) && usable(down) ? { across, down } : undefined
}

/** Bounds-checked access to the fields of a file in either byte order. */
class TiffFile {
  #view: DataView
  #little: boolean
  /** BigTIFF: counts and offsets have 8 bytes. */
  #big: boolean
  /** Offset of the first directory. */
  readonly first: number
  readonly length: number

  constructor(bytes: Uint8Array) {
    if (bytes.length < 8) throw broken('it is cut off')
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#little = bytes[0] === 0x49
    this.length = bytes.length
    this.#big = this.short(2) === 43
    this.first = this.#big ? this.#long8(8) : this.long(4)
  }

  long(at: number): number {
    this.#check(at, 4)
    return this.#view.getUint32(at, this.#little)
  }

  short(at: number): number {
    this.#check(at, 2)
    return this.#view.getUint16(at, this.#little)
  }

  directory(offset: number): { directory: Directory; next: number } {
    const word = this.#big ? 8 : 4
    const long = (at: number) => (this.#big ? this.#long8(at) : this.long(at))
    const count = this.#big ? this.#long8(offset) : this.short(offset)
    if (count > max.entries) throw broken('a list of tags is too long')
    const directory: Directory = new Map()
    let at = offset + (this.#big ? 8 : 2)
    for (let entry = 0; entry < count; entry++, at += 4 + 2 * word) {
      const type = this.short(at + 2)
      const values = long(at + 4)
      const value = at + 4 + word
      const bytes = (fieldBytes.get(type) ?? 1) * values
      directory.set(this.short(at), { type, count: values, at: bytes <= word ? value : long(value) })
    }
    return { directory, next: long(at) }
  }

  #long8(at: number): number {
    this.#check(at, 8)
    return Number(this.#view.getBigUint64(at, this.#little))
  }

  /** The first value of a field, or `missing`; throws when the field is needed and not there. */
  number(directory: Directory, name: number, missing?: number): number {
    const value = this.#values(directory.get(name), 1)[0] ?? missing
    if (value === undefined) throw broken('a needed tag is missing')
    return value
  }

  numbers(directory: Directory, name: number): number[] {
    const field = directory.get(name)
    if (field && field.count > max.strips) throw broken('a page is split into too many parts')
    return this.#values(field, field?.count ?? 0)
  }

  /** A rational field as a number, 0 when it is missing. */
  ratio(directory: Directory, name: number): number {
    const field = directory.get(name)
    if (field?.type !== fieldType.rational || field.count === 0) return 0
    const below = this.long(field.at + 4)
    return below === 0 ? 0 : this.long(field.at) / below
  }

  #values(field: Field | undefined, atMost: number): number[] {
    if (!field) return []
    const size = fieldBytes.get(field.type) ?? 0
    if (size === 0 || field.type === fieldType.rational) return []
    const count = Math.min(field.count, atMost)
    this.#check(field.at, count * size)
    return Array.from({ length: count }, (_, index) => {
      const at = field.at + index * size
      if (size === 8) return this.#long8(at)
      return size === 4 ? this.long(at) : size === 2 ? this.short(at) : this.#view.getUint8(at)
    })
  }

  #check(at: number, bytes: number): void {
    if (at + bytes > this.length) throw broken('it is cut off')
  }
}

function broken(why: string): DocumentProblem {
  return new DocumentProblem('broken', `The TIFF file is damaged: ${why}. Save or scan it again and send that file.`)
}

/** Whether a page holds CCITT data (G3 or G4) in strips and upright, which is decoded here and not by the image library. */
export function isCcitt(page: TiffPage): boolean {
  const known: readonly number[] = Object.values(compression)
  return page.bilevel && page.orientation === 1 && page.strips.length > 0 && known.includes(page.compression)
}

/** Whether the colors of a page are stored as one of the varieties of CIE L*a*b* (TIFF 6.0, section 23, and its supplements). */
export function isLab({ photometric }: Pick<TiffPage, 'photometric'>): boolean {
  return photometric >= 8 && photometric <= 10
}
