import { type ObjectPlace, packedNumbers, PdfObjects, type PdfStream, readStream, readValue } from './objects.ts'
import { type Known, readTableStream } from './tables.ts'
import { type Entries, readEntries } from './values.ts'

/** Objects that are looked for at most: PDFium numbers no more. */
const maxObjects = 1_000_000
/** What a trailer says of the whole file; a name that is damaged is left out. */
const kept = ['Root', 'Info', 'Encrypt', 'ID']

/**
 * Finds the objects of a file whose cross-reference table is missing or wrong by reading it from its begin to its end:
 * of objects with the same number the last one counts, as in updates of a file. What looks like an object within a
 * stream is not one. Undefined when there is no catalog.
 */
export function findObjects(file: Buffer): PdfObjects | undefined {
  const places = new Map<number, ObjectPlace>()
  const found = new PdfObjects(file, places, new Map())
  const heads = headsOf(file)
  const naive = new PdfObjects(file, new Map(heads.map((each) => [each.number, each])), new Map())
  const [containers, tables]: [Found[], Found[]] = [[], []]
  const gaps: [start: number, end: number][] = []
  let behind = 0
  for (const { number, at, start } of heads) {
    if (at < behind) continue
    places.set(number, { at })
    const stream = readStream(file, start, naive.resolve)
    if (!stream) continue
    gaps.push([behind, stream.start])
    behind = stream.start + stream.data.length
    const type = stream.entries.get('Type')
    if (type === '/ObjStm') containers.push({ number, at, stream })
    if (type === '/XRef') tables.push({ number, at, stream })
  }
  for (const { stream } of tables) keep(found.trailer, stream.entries)
  for (const [start, end] of [...gaps, [behind, file.length] as const]) {
    for (let at = file.indexOf('trailer', start); at >= 0 && at < end; at = file.indexOf('trailer', at + 1)) {
      keep(found.trailer, readEntries(readValue(file, at + 'trailer'.length)?.value ?? ''))
    }
  }
  if (found.isEncrypted) unpackUnread(file, places, tables)
  else for (const container of containers) unpack(found, places, container)
  return hasRoot(found, places) ? found : undefined
}

/** Whether there is a catalog, also one that no trailer names. */
function hasRoot(found: PdfObjects, places: ReadonlyMap<number, ObjectPlace>): boolean {
  if (found.dictionary(found.trailer.get('Root'))?.has('Pages')) return true
  const isCatalog = (number: number) => found.dictionary(`${number} 0 R`)?.get('Type') === '/Catalog'
  const catalog = [...places.keys()].findLast(isCatalog)
  if (catalog !== undefined) found.trailer.set('Root', `${catalog} 0 R`)
  return catalog !== undefined || found.isEncrypted
}

interface Found {
  number: number
  at: number
  stream: PdfStream
}

interface Head {
  number: number
  /** Where it begins, and where its value does. */
  at: number
  start: number
}

/** Every place of a file that reads like the begin of an object. */
function headsOf(file: Buffer): Head[] {
  const heads: Head[] = []
  for (let at = file.indexOf('obj'); at >= 0 && heads.length < maxObjects; at = file.indexOf('obj', at + 1)) {
    const before = /(\d{1,10})[\s\0]+\d{1,5}[\s\0]+$/.exec(file.toString('latin1', Math.max(0, at - 24), at))
    if (before) heads.push({ number: Number(before[1]), at: at - before[0].length, start: at + 'obj'.length })
  }
  return heads
}

function keep(trailer: Entries, entries: Entries | undefined): void {
  for (const key of kept) {
    const value = entries?.get(key)
    if (value !== undefined) trailer.set(key, value)
  }
}

/** The objects of an object stream, unless the file has newer ones. */
function unpack(found: PdfObjects, places: Map<number, ObjectPlace>, { number, at, stream }: Found): void {
  const text = found.read(stream)?.data.toString('latin1') ?? ''
  for (const [index, [inner]] of packedNumbers(stream.entries, text).entries()) {
    const known = places.get(inner)
    if (!known || 'within' in known || known.at < at) places.set(inner, { within: number, index })
  }
}

/** The same where object streams are encrypted: what tables say of them. */
function unpackUnread(file: Buffer, places: Map<number, ObjectPlace>, tables: readonly Found[]): void {
  const known: Known = new Map()
  for (const { at } of tables.toReversed()) readTableStream(file, at, known)
  for (const [number, place] of known) if (place && 'within' in place && !places.has(number)) places.set(number, place)
}

/** A file with a cross-reference stream put behind it that says where its objects are (ISO 32000-1, 7.5.8). */
export function withTable({ file, places, trailer }: PdfObjects): Buffer {
  const numbers = [...places.keys()].toSorted((a, b) => a - b)
  const number = (numbers.at(-1) ?? 0) + 1
  const rows = Buffer.alloc(7 * (number + 1))
  for (const each of numbers) {
    const place = places.get(each)!
    rows.writeUInt8('at' in place ? 1 : 2, 7 * each)
    rows.writeUInt32BE('at' in place ? place.at : place.within, 7 * each + 1)
    rows.writeUInt16BE('at' in place ? 0 : place.index, 7 * each + 5)
  }
  const said = kept.flatMap((key) => (trailer.has(key) ? [`/${key} ${trailer.get(key)}`] : [])).join('')
  const begin = Buffer.from(
    `\n${number} 0 obj\n<</Type/XRef/W[1 4 2]/Size ${number + 1}${said}/Length ${rows.length}>>stream\n`,
    'latin1',
  )
  rows.writeUInt8(1, 7 * number)
  rows.writeUInt32BE(file.length + 1, 7 * number + 1)
  const end = Buffer.from(`\nendstream\nendobj\nstartxref\n${file.length + 1}\n%%EOF\n`, 'latin1')
  return Buffer.concat([file, begin, rows, end])
}
