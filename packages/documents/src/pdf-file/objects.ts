import { inflate } from './inflate.ts'
import { type Entries, readEntries, readList, referred, valueAt } from './values.ts'

/** Where an object is: a byte of the file, or an object stream (ISO 32000-1, 7.5.7). */
export type ObjectPlace = { at: number } | { within: number; index: number }

/** A page and what is needed to write it again. */
export interface WrittenPage {
  number: number
  entries: Entries
  /** Its resources, which may be those of a branch of the page tree. */
  resources: Entries
  /** References to its content streams. */
  contents: string[]
}

export interface PdfStream {
  entries: Entries
  data: Buffer
  /** Where it begins and ends in the file. */
  start: number
  /** It has an end, and at least the bytes that its dictionary counts. Programs that write PDFs by hand often miscount. */
  isEnded: boolean
}

/** Levels of a page tree, and of references to references. */
const maxDepth = 50
/** Bytes of a line break, which some programs count. */
const lineBreak = 2
/** A value longer than this is not read: the longest are arrays of references. */
const maxValue = 4 * 1024 * 1024
const head = /^[\s\0]*(\d{1,10})[\s\0]+\d{1,5}[\s\0]+obj/

/** The number of the object that begins at a byte, and where its value does. */
export function headAt(file: Buffer, at: number): { number: number; start: number } | undefined {
  const found = head.exec(file.toString('latin1', at, at + 40))
  return found ? { number: Number(found[1]), start: at + found[0].length } : undefined
}

/** The value that begins at a byte of a file, and the byte behind it. */
export function readValue(file: Buffer, start: number): { value: string; end: number } | undefined {
  for (let length = 512; ; length *= 8) {
    const text = file.toString('latin1', start, start + length)
    const found = valueAt(text, 0)
    // A word or number may go on behind what was looked at.
    if (found && (found.end < text.length || text.length < length)) return { ...found, end: start + found.end }
    if (text.length < length || length > maxValue || /\bendobj\b|\d[\s\0]+\d+[\s\0]+obj\b/.test(text)) return undefined
  }
}

/** The stream of the dictionary that begins at a byte; without `resolve` its length has to be in it. */
export function readStream(
  file: Buffer,
  start: number,
  resolve: (value: string) => string | undefined = (value) => value,
): PdfStream | undefined {
  const found = readValue(file, start)
  const entries = found && readEntries(found.value)
  const keyword = entries && /^[\s\0]*stream(\r\n|\n|\r)?/.exec(file.toString('latin1', found.end, found.end + 40))
  if (!keyword) return undefined
  const begin = found.end + keyword[0].length
  const length = Number(resolve(entries.get('Length') ?? '') ?? NaN)
  const behind = length >= 0 ? file.toString('latin1', begin + length, begin + length + 30) : ''
  if (/^[\s\0]*endstream/.test(behind))
    return { entries, data: file.subarray(begin, begin + length), start: begin, isEnded: true }
  const [streamEnd, objectEnd] = ['endstream', 'endobj'].map((word) => file.indexOf(word, begin)) as [number, number]
  const end = [streamEnd, objectEnd].find((at) => at >= 0) ?? file.length
  const line = /(\r\n|\n|\r)$/.exec(file.toString('latin1', Math.max(begin, end - 2), end))?.[0].length ?? 0
  const isEnded = end === streamEnd && !(objectEnd >= 0 && objectEnd < end) && !(length > end - begin + lineBreak)
  return { entries, data: file.subarray(begin, end - line), start: begin, isEnded }
}

/** The objects of a PDF (ISO 32000-1, 7.3). Methods answer undefined for what is not there or not as it should be. */
export class PdfObjects {
  readonly file: Buffer
  readonly places: ReadonlyMap<number, ObjectPlace>
  readonly trailer: Entries
  readonly #values = new Map<number, string | undefined>()
  readonly #packed = new Map<number, Map<number, string>>()
  /** An object stream was read that is not whole. */
  isDamaged = false

  constructor(file: Buffer, places: ReadonlyMap<number, ObjectPlace>, trailer: Entries) {
    this.file = file
    this.places = places
    this.trailer = trailer
  }

  /** Streams and strings say nothing to who has no key. */
  get isEncrypted(): boolean {
    return this.trailer.has('Encrypt')
  }

  /** The value of an object as it is written. */
  valueOf(number: number): string | undefined {
    if (!this.#values.has(number)) this.#values.set(number, this.#read(number))
    return this.#values.get(number)
  }

  #read(number: number): string | undefined {
    const place = this.places.get(number)
    if (!place) return undefined
    if ('within' in place) return this.#unpack(place.within).get(number)
    const found = headAt(this.file, place.at)
    return found?.number === number ? readValue(this.file, found.start)?.value : undefined
  }

  /** A value, or what it refers to. */
  resolve = (value: string | undefined, depth = 0): string | undefined => {
    const number = referred(value)
    if (number === undefined || depth > maxDepth) return value
    return this.resolve(this.valueOf(number), depth + 1)
  }

  /** The entries of a value that is a dictionary or refers to one. */
  dictionary(value: string | undefined): Entries | undefined {
    const resolved = this.resolve(value)
    return resolved === undefined ? undefined : readEntries(resolved)
  }

  /** The stream that an object is. */
  stream(number: number): PdfStream | undefined {
    const place = this.places.get(number)
    const found = place && 'at' in place ? headAt(this.file, place.at) : undefined
    return found?.number === number ? readStream(this.file, found.start, this.resolve) : undefined
  }

  /** What a stream says, where it is deflated or as it is; and whether that is all of it. */
  read({ entries, data, isEnded }: PdfStream): { data: Buffer; isWhole: boolean } | undefined {
    const filter = this.resolve(entries.get('Filter'))
    if (filter === undefined || filter === 'null') return { data, isWhole: isEnded }
    return /^\[?\s*\/(FlateDecode|Fl)\s*\]?$/.test(filter) && !this.isEncrypted ? inflate(data) : undefined
  }

  /** The objects of an object stream. */
  #unpack(number: number): Map<number, string> {
    const known = this.#packed.get(number)
    if (known) return known
    const objects = new Map<number, string>()
    this.#packed.set(number, objects)
    const stream = this.stream(number)
    const read = stream && this.read(stream)
    if (!read?.isWhole && !this.isEncrypted) this.isDamaged = true
    if (!read) return objects
    const text = read.data.toString('latin1')
    for (const [inner, at] of packedNumbers(stream.entries, text)) {
      const found = valueAt(text, at)
      if (found) objects.set(inner, found.value)
    }
    return objects
  }

  /** The pages in their order; undefined where part of their tree is missing. */
  pages(): WrittenPage[] | undefined {
    const pages: WrittenPage[] = []
    const seen = new Set<number>()
    const walk = (kid: string, inherited: string | undefined, depth: number): boolean => {
      const number = referred(kid)
      const entries = this.dictionary(kid)
      if (number === undefined || !entries || seen.has(number) || depth > maxDepth) return false
      seen.add(number)
      const given = entries.get('Resources') ?? inherited
      const kids = entries.get('Kids')
      if (kids !== undefined) {
        const list = this.resolve(kids)
        return list !== undefined && readList(list).every((next) => walk(next, given, depth + 1))
      }
      const resources = given === undefined ? new Map<string, string>() : this.dictionary(given)
      const contents = this.#contentsOf(entries.get('Contents'))
      if (resources) pages.push({ number, entries, resources, contents })
      return resources !== undefined
    }
    const tree = this.dictionary(this.trailer.get('Root'))?.get('Pages')
    return tree !== undefined && walk(tree, undefined, 0) ? pages : undefined
  }

  #contentsOf(value: string | undefined): string[] {
    if (value === undefined || value === 'null') return []
    const resolved = this.resolve(value)
    return resolved?.startsWith('[') ? readList(resolved) : [value]
  }
}

/** The numbers of the objects in an object stream, and where each begins in what it says. */
export function packedNumbers(entries: Entries, text: string): [number: number, at: number][] {
  const [first, count] = [Number(entries.get('First')), Number(entries.get('N'))]
  const heads = text.slice(0, first).match(/\d+/g) ?? []
  const numbers = Math.min(heads.length >> 1, count || 0)
  return Array.from({ length: numbers }, (_, at) => [Number(heads[2 * at]), first + Number(heads[2 * at + 1])])
}
