import { inflate } from './inflate.ts'
import { headAt, type ObjectPlace, readStream, readValue } from './objects.ts'
import { type Entries, readEntries, readList } from './values.ts'

/** What the cross-reference tables of a file say. */
export interface Tables {
  places: Map<number, ObjectPlace>
  trailer: Entries
}

const maxTables = 1000
/** The highest number that PDFium gives an object. */
const maxNumber = 4 * 1024 * 1024
const section = /[\s\0]*(\d+)[\s\0]+(\d+)(?=[\s\0])/y
const row = /[\s\0]*(\d{1,10})[\s\0]+(\d{1,5})[\s\0]+([nf])/y

/** Reads the tables of a file, the newest first (ISO 32000-1, 7.5.4 and 7.5.8); undefined when one cannot be read. */
export function readTables(file: Buffer): Tables | undefined {
  const last = file.lastIndexOf('startxref')
  const begin = /^startxref[\s\0]+(\d+)/.exec(file.toString('latin1', Math.max(0, last), last + 40))?.[1]
  if (last < 0 || begin === undefined) return undefined
  const known = new Map<number, ObjectPlace | undefined>()
  const starts = [Number(begin)]
  let trailer: Entries | undefined
  for (const start of starts) {
    const entries =
      start >= file.length ? undefined : (readTable(file, start, known) ?? readTableStream(file, start, known))
    if (!entries || starts.length > maxTables) return undefined
    trailer ??= entries
    for (const key of ['XRefStm', 'Prev']) {
      const more = entries.get(key)
      if (more !== undefined && !starts.includes(Number(more))) starts.push(Number(more))
    }
  }
  const places = new Map([...known].filter((entry): entry is [number, ObjectPlace] => entry[1] !== undefined))
  return trailer && { places, trailer }
}

/** What tables say of objects; undefined for those that are free. */
export type Known = Map<number, ObjectPlace | undefined>

/** What a newer table says of an object counts. */
function learn(known: Known, number: number, place: ObjectPlace | undefined): void {
  if (number < maxNumber && !known.has(number)) known.set(number, place)
}

function readTable(file: Buffer, start: number, known: Known): Entries | undefined {
  if (!/^[\s\0]*xref/.test(file.toString('latin1', start, start + 40))) return undefined
  const end = file.indexOf('trailer', start)
  const text = file.toString('latin1', file.indexOf('xref', start) + 'xref'.length, end)
  const trailer = end < 0 ? undefined : readValue(file, end + 'trailer'.length)
  let at = 0
  for (;;) {
    section.lastIndex = at
    const found = section.exec(text)
    if (!found) break
    row.lastIndex = section.lastIndex
    // Some programs count from 1 what begins with the object 0, which is free.
    const shift =
      Number(found[1]) === 1 && /^[\s\0]*0{10} 65535 f/.test(text.slice(row.lastIndex, row.lastIndex + 24)) ? 1 : 0
    for (let number = Number(found[1]) - shift, left = Number(found[2]); left > 0; number++, left--) {
      const [, offset, , kind] = row.exec(text) ?? []
      if (kind === undefined) return undefined
      // A place of 0 is that of no object.
      learn(known, number, kind === 'n' && Number(offset) > 0 ? { at: Number(offset) } : undefined)
      at = row.lastIndex
    }
    if (Number(found[2]) === 0) at = section.lastIndex
  }
  return /[^\s\0]/.test(text.slice(at)) ? undefined : trailer && readEntries(trailer.value)
}

/** Reads a table that is a stream, into what is known. */
export function readTableStream(file: Buffer, start: number, known: Known): Entries | undefined {
  const found = headAt(file, start)
  const stream = found && readStream(file, found.start)
  if (!stream || stream.entries.get('Type') !== '/XRef') return undefined
  const { entries } = stream
  const { data, isWhole } = entries.has('Filter') ? inflate(stream.data) : { data: stream.data, isWhole: true }
  const widths = readList(entries.get('W') ?? '').map(Number)
  const size = widths.reduce((sum, width) => sum + width, 0)
  const [kindWidth = 0, atWidth = 0, lastWidth = 0] = widths
  if (!isWhole || widths.length < 3 || !(size > 0 && size < 20)) return undefined
  const isPredicted = /\/Predictor\s+1[0-5]/.test(entries.get('DecodeParms') ?? '')
  const rows = isPredicted ? unpredict(data, size) : data
  if (!rows) return undefined
  const index = entries.has('Index') ? readList(entries.get('Index')!).map(Number) : [0, Number(entries.get('Size'))]
  let at = 0
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    for (let number = index[pair]!, left = index[pair + 1]!; left > 0 && at + size <= rows.length; number++, left--) {
      const kind = kindWidth === 0 ? 1 : numberAt(rows, at, kindWidth)
      const place = numberAt(rows, at + kindWidth, atWidth)
      const within = { within: place, index: numberAt(rows, at + kindWidth + atWidth, lastWidth) }
      learn(known, number, kind === 2 ? within : kind === 1 && place > 0 ? { at: place } : undefined)
      at += size
    }
  }
  return entries
}

/** Bytes in front of the last six are those of places that no file has. */
const numberAt = (bytes: Buffer, at: number, width: number): number =>
  width === 0 ? 0 : bytes.readUIntBE(at + Math.max(0, width - 6), Math.min(6, width))

/** Undoes the filters of PNG (ISO 15948, 9) that tables have: none, and the difference to the row above. */
function unpredict(data: Buffer, width: number): Buffer | undefined {
  const rows = Math.floor(data.length / (width + 1))
  const result = Buffer.alloc(rows * width)
  for (let row = 0; row < rows; row++) {
    const start = row * (width + 1)
    if (data[start] !== 0 && data[start] !== 2) return undefined
    for (let column = 0; column < width; column++) {
      const at = row * width + column
      result[at] = data[start + 1 + column]! + (data[start] === 2 && row > 0 ? result[at - width]! : 0)
    }
  }
  return result
}
