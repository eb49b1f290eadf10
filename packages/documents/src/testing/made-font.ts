/** How a font is made: the character its square stands for, the format of its character map, and of its loca table. */
interface MadeFont {
  character: string
  format: 4 | 12
  longOffsets: boolean
  /** Its family's name, for people who read English and for others. */
  family?: string
}

export const int16 = (...values: number[]) => {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, index) => bytes.writeInt16BE(value > 0x7fff ? value - 0x10000 : value, 2 * index))
  return bytes
}
const int32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index))
  return bytes
}

/** A square from 0 to 800 units. */
const square = Buffer.concat([
  int16(1, 0, 0, 800, 800, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  int16(0, 800, 0, -800, 0, 0, 800, 0),
  Buffer.alloc(2),
])

function characterMap({ character, format }: Pick<MadeFont, 'character' | 'format'>): Buffer {
  const codePoint = character.codePointAt(0) ?? 0
  const head = Buffer.concat([int16(0, 1, 3, format === 4 ? 1 : 10), int32(12)])
  if (format === 12) return Buffer.concat([head, int16(12, 0), int32(28, 0, 1, codePoint, codePoint, 1)])
  const segments = [
    int16(codePoint, 0xffff),
    int16(0),
    int16(codePoint, 0xffff),
    int16(0x10001 - codePoint, 1),
    int16(0, 0),
  ]
  return Buffer.concat([head, int16(4, 32, 0, 4, 4, 1, 0), ...segments])
}

/** A TrueType font of 1,000 units an em with one glyph, a black square that fills most of the em. */
export function makeFont(made: MadeFont): Buffer {
  const offsets = [0, 0, square.length]
  const loca = made.longOffsets ? int32(...offsets) : int16(...offsets.map((offset) => offset / 2))
  return assemble(0x10000, [...commonTables(made, 2), ['glyf', square], ['loca', loca]])
}

/** A font with a square each for two characters and for both together, which its GSUB table joins to one. */
export function makeJoiningFont(first: string, second: string): Buffer {
  const groups = [first, second]
    .map((character, index) => [character.codePointAt(0) ?? 0, index + 1] as const)
    .sort(([a], [b]) => a - b)
  const map = Buffer.concat([
    ...[int16(0, 1, 3, 10), int32(12), int16(12, 0), int32(16 + 12 * groups.length, 0, groups.length)],
    ...groups.map(([codePoint, glyph]) => int32(codePoint, codePoint, glyph)),
  ])
  const tag = (name: string) => Buffer.from(name, 'latin1')
  const scripts = Buffer.concat([int16(1), tag('DFLT'), int16(8, 4, 0, 0, 0xffff, 1, 0)])
  const features = Buffer.concat([int16(1), tag('ccmp'), int16(8, 0, 1, 0)])
  // One lookup of ligatures: glyph 1, followed by glyph 2, becomes glyph 3.
  const lookups = int16(...[1, 4], ...[4, 0, 1, 8], ...[1, 8, 1, 14], ...[1, 1, 1], ...[1, 4], ...[3, 2, 2])
  const at = 10 + scripts.length
  const substitutions = Buffer.concat([int16(1, 0, 10, at, at + features.length), scripts, features, lookups])
  const common = commonTables({ character: first, format: 12, longOffsets: true }, 4)
  const tables = common.map(([name, bytes]): [string, Buffer] => [name, name === 'cmap' ? map : bytes])
  const squares = Buffer.concat([square, square, square])
  const loca = int32(...[0, 0, 1, 2, 3].map((count) => count * square.length))
  return assemble(0x10000, [['GSUB', substitutions], ...tables, ['glyf', squares], ['loca', loca]])
}

/** The name of a family as it is in English, behind one in Japanese. */
function nameTable(family: string): Buffer {
  const text = Buffer.from(`?${family}`, 'utf16le').swap16()
  const record = (language: number, from: number) => int16(3, 1, language, 1, text.length - from, from)
  return Buffer.concat([int16(0, 2, 30), record(0x411, 0), record(0x409, 2), text])
}

/** The tables of fonts of all kinds; the character stands for glyph 1. */
export function commonTables(
  { longOffsets = false, family, ...made }: Omit<MadeFont, 'longOffsets'> & { longOffsets?: boolean },
  glyphs: number,
): [string, Buffer][] {
  const dates = Buffer.alloc(16)
  return [
    ['cmap', characterMap(made)],
    [
      'head',
      Buffer.concat([
        int32(0x10000, 0x10000, 0, 0x5f0f3cf5),
        int16(0, 1000),
        dates,
        int16(0, 0, 800, 800, 0, 8, 2, longOffsets ? 1 : 0, 0),
      ]),
    ],
    ['hhea', Buffer.concat([int32(0x10000), int16(900, -100, 0, 1000, 0, 0, 800, 1, 0, 0, 0, 0, 0, 0, 0, glyphs)])],
    ['hmtx', int16(...Array.from({ length: glyphs }, () => [1000, 0]).flat())],
    ['maxp', Buffer.concat([int32(0x10000), int16(glyphs, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)])],
    ...(family === undefined ? [] : [['name', nameTable(family)] satisfies [string, Buffer]]),
  ]
}

/** A font file of these tables. */
export function assemble(version: number, tables: readonly [string, Buffer][]): Buffer {
  const directory = Buffer.alloc(12 + 16 * tables.length)
  directory.writeUInt32BE(version, 0)
  directory.writeUInt16BE(tables.length, 4)
  const parts = [directory]
  let offset = directory.length
  tables.forEach(([tag, bytes], index) => {
    directory.write(tag, 12 + 16 * index, 'latin1')
    directory.writeUInt32BE(offset, 12 + 16 * index + 8)
    directory.writeUInt32BE(bytes.length, 12 + 16 * index + 12)
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
    parts.push(padded)
    offset += padded.length
  })
  return Buffer.concat(parts)
}

/** Fonts as a collection. */
export function collectionOf(...fonts: Buffer[]): Buffer {
  let at = 12 + 4 * fonts.length
  const places = fonts.map(({ length }) => (at += length) - length)
  const head = Buffer.concat([Buffer.from('ttcf', 'latin1'), int32(0x10000, fonts.length, ...places)])
  const moved = fonts.map((font, index) => {
    const copy = Buffer.from(font)
    for (let table = 0; table < copy.readUInt16BE(4); table++) {
      const offset = 12 + 16 * table + 8
      copy.writeUInt32BE(copy.readUInt32BE(offset) + places[index]!, offset)
    }
    return copy
  })
  return Buffer.concat([head, ...moved])
}
