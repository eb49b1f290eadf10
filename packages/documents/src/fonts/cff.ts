/** An INDEX: byte strings one after the other (Adobe Technical Note #5176, section 5). */
export interface CffIndex {
  count: number
  /** Where it ends in the table. */
  end: number
  /** Throws when the entry lies outside the table. */
  entry(index: number): Buffer
}

/** What a DICT says of one operator: its operands, `NaN` for real numbers, and all of it as it stands in the table. */
interface DictEntry {
  operands: number[]
  bytes: Buffer
}
export type Dict = ReadonlyMap<number, DictEntry>

/** Operators of DICTs (section 9); those of two bytes have 1200 added to the second. */
export const operators = {
  fontBox: 5,
  charset: 15,
  charStrings: 17,
  private: 18,
  subrs: 19,
  matrix: 1207,
  kind: 1206,
  ros: 1230,
  cidCount: 1234,
  fontDicts: 1236,
  fontDictSelect: 1237,
} as const

/** A font within the font: glyphs that share hints and subroutines. A font without CIDs has one. */
export interface CffPart {
  /** Its Font DICT; empty in a font without CIDs. */
  dict: Dict
  private: Dict
  subrs: CffIndex
}

/** An open font with PostScript outlines: the `CFF ` table of an OpenType font. */
export interface CffFont {
  top: Dict
  charStrings: CffIndex
  globalSubrs: CffIndex
  parts: readonly CffPart[]
  /** The part that a glyph belongs to. Throws when there is none. */
  partOf: (glyph: number) => number
}

const noIndex: CffIndex = {
  count: 0,
  end: 0,
  entry: () => {
    throw new Error('A font asks for what an empty list has.')
  },
}
const noDict: Dict = new Map()

/** More than fonts have, so that a damaged one cannot make the reader work for ever. */
const max = { parts: 256, privateBytes: 0xffff, operands: 48 }

/** Opens a `CFF ` table (version 1). Throws when it is damaged, or when its outlines are of another kind than Type 2. */
export function readCff(cff: Buffer): CffFont {
  if (cff.readUInt8(0) !== 1) throw new Error('The outlines of the font are of an unknown version.')
  const names = readIndex(cff, cff.readUInt8(2))
  const tops = readIndex(cff, names.end)
  const globalSubrs = readIndex(cff, readIndex(cff, tops.end).end)
  const top = readDict(tops.entry(0))
  if ((numberOf(top, operators.kind) ?? 2) !== 2) throw new Error('The outlines of the font are of another kind.')
  const charStrings = readIndex(cff, requireNumber(top, operators.charStrings))
  return { top, charStrings, globalSubrs, ...readParts(cff, top, charStrings.count) }
}

/** A font with CIDs has its parts in a list, and says of each glyph to which it belongs. */
function readParts(cff: Buffer, top: Dict, glyphs: number): Pick<CffFont, 'parts' | 'partOf'> {
  if (!top.has(operators.ros)) return { parts: [readPart(cff, noDict, top)], partOf: () => 0 }
  const dicts = readIndex(cff, requireNumber(top, operators.fontDicts))
  if (dicts.count > max.parts) throw new Error('The font has too many parts.')
  const parts = Array.from({ length: dicts.count }, (_, index) => {
    const dict = readDict(dicts.entry(index))
    return readPart(cff, dict, dict)
  })
  const select = readSelect(cff, requireNumber(top, operators.fontDictSelect), glyphs)
  const partOf = (glyph: number) => {
    const part = select(glyph)
    if (part >= parts.length) throw new Error('A glyph belongs to no part of its font.')
    return part
  }
  return { parts, partOf }
}

function readPart(cff: Buffer, dict: Dict, owner: Dict): CffPart {
  const [size, offset] = owner.get(operators.private)?.operands ?? []
  if (size === undefined || offset === undefined) return { dict, private: noDict, subrs: noIndex }
  const isInside = offset >= 0 && size >= 0 && offset + size <= cff.length
  if (!isInside || size > max.privateBytes) throw new Error('The font is cut off.')
  const own = readDict(cff.subarray(offset, offset + size))
  const subrs = numberOf(own, operators.subrs)
  return { dict, private: own, subrs: subrs === undefined ? noIndex : readIndex(cff, offset + subrs) }
}

/** FDSelect (section 19): a byte for each glyph, or ranges of glyphs. */
function readSelect(cff: Buffer, at: number, glyphs: number): (glyph: number) => number {
  const format = cff.readUInt8(at)
  if (format === 0) return (glyph) => (glyph < glyphs ? cff.readUInt8(at + 1 + glyph) : NaN)
  if (format !== 3) throw new Error('The parts of the font are listed in an unknown way.')
  const ranges = cff.subarray(at + 3, at + 3 + 3 * cff.readUInt16BE(at + 1))
  return (glyph) => {
    let part = NaN
    for (let range = 0; range < ranges.length && ranges.readUInt16BE(range) <= glyph; range += 3) {
      part = ranges.readUInt8(range + 2)
    }
    return part
  }
}

function readIndex(cff: Buffer, at: number): CffIndex {
  const count = cff.readUInt16BE(at)
  if (count === 0) return { ...noIndex, end: at + 2 }
  const size = cff.readUInt8(at + 2)
  if (size < 1 || size > 4) throw new Error('A list in the font is damaged.')
  const before = at + 2 + (count + 1) * size
  const offset = (index: number) => before + cff.readUIntBE(at + 3 + index * size, size)
  const entry = (index: number) => {
    if (index >= count) throw new Error('A font asks for what a list does not have.')
    const [start, end] = [offset(index), offset(index + 1)]
    if (start > end || end > cff.length) throw new Error('A list in the font is damaged.')
    return cff.subarray(start, end)
  }
  return { count, end: offset(count), entry }
}

/** Reads a DICT (section 4). */
function readDict(bytes: Buffer): Dict {
  const dict = new Map<number, DictEntry>()
  let operands: number[] = []
  for (let at = 0, start = 0; at < bytes.length;) {
    const first = bytes.readUInt8(at)
    if (first <= 21) {
      const operator = first === 12 ? 1200 + bytes.readUInt8(at + 1) : first
      at += first === 12 ? 2 : 1
      dict.set(operator, { operands, bytes: bytes.subarray(start, at) })
      operands = []
      start = at
    } else {
      const { value, end } = readOperand(bytes, at, first)
      if (operands.push(value) > max.operands) throw new Error('A description in the font is damaged.')
      at = end
    }
  }
  return dict
}

function readOperand(bytes: Buffer, at: number, first: number): { value: number; end: number } {
  if (first === 28) return { value: bytes.readInt16BE(at + 1), end: at + 3 }
  if (first === 29) return { value: bytes.readInt32BE(at + 1), end: at + 5 }
  if (first >= 32 && first <= 246) return { value: first - 139, end: at + 1 }
  if (first >= 247 && first <= 250) return { value: (first - 247) * 256 + bytes.readUInt8(at + 1) + 108, end: at + 2 }
  if (first >= 251 && first <= 254) return { value: (251 - first) * 256 - bytes.readUInt8(at + 1) - 108, end: at + 2 }
  if (first !== 30) throw new Error('A description in the font is damaged.')
  // Two digits a byte; a digit of 15 ends the number.
  let end = at + 1
  while ((bytes.readUInt8(end) & 0x0f) !== 0x0f && bytes.readUInt8(end) >> 4 !== 0x0f) end++
  return { value: NaN, end: end + 1 }
}

const numberOf = (dict: Dict, operator: number) => dict.get(operator)?.operands.at(-1)

function requireNumber(dict: Dict, operator: number): number {
  const value = numberOf(dict, operator)
  if (value === undefined) throw new Error('A part of the font is missing.')
  return value
}
