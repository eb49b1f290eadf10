/** An INDEX: byte strings one after the other (Adobe Technical Note #5176, section 5). */
interface CffIndex {
  count: number
  /** Where it ends in the table. */
  end: number
  /** Where an entry begins and ends in the table. Throws when it lies outside of it. */
  entry: (index: number) => [start: number, end: number]
}

/** Operators of the Top DICT (section 9); those of two bytes have 1200 added to the second. */
const operators = { charset: 15, charStrings: 17, kind: 1206, ros: 1230 }
/** More than fonts have, so that a damaged one cannot make the reader work for ever. */
const maxOperands = 48

/** What is read here of an open font with PostScript outlines: the `CFF ` table of an OpenType font. */
export interface CffFont {
  glyphs: number
  /** Where the outline of glyph 0, which stands for what the font lacks, begins in the table. */
  missingAt: number
  /** Where the CIDs of its glyphs are listed in the table; undefined in a font without CIDs. */
  charsetAt: number | undefined
}

/** Opens a `CFF ` table (version 1). Throws when it is damaged, or when its outlines are of another kind than Type 2. */
export function readCff(cff: Buffer): CffFont {
  if (cff.readUInt8(0) !== 1) throw new Error('The outlines of the font are of an unknown version.')
  const names = readIndex(cff, cff.readUInt8(2))
  const top = readDict(cff.subarray(...readIndex(cff, names.end).entry(0)))
  if ((top.get(operators.kind) ?? 2) !== 2) throw new Error('The outlines of the font are of another kind.')
  const outlines = top.get(operators.charStrings)
  if (outlines === undefined) throw new Error('A part of the font is missing.')
  const { count, entry } = readIndex(cff, outlines)
  const charsetAt = top.has(operators.ros) ? (top.get(operators.charset) ?? 0) : undefined
  return { glyphs: count, missingAt: entry(0)[0], charsetAt }
}

function readIndex(cff: Buffer, at: number): CffIndex {
  const count = cff.readUInt16BE(at)
  const size = count === 0 ? 1 : cff.readUInt8(at + 2)
  if (size < 1 || size > 4) throw new Error('A list in the font is damaged.')
  const before = at + 2 + (count + 1) * size
  const offset = (index: number) => before + cff.readUIntBE(at + 3 + index * size, size)
  const entry = (index: number): [number, number] => {
    if (index >= count) throw new Error('A font asks for what a list does not have.')
    const [start, end] = [offset(index), offset(index + 1)]
    if (start > end || end > cff.length) throw new Error('A list in the font is damaged.')
    return [start, end]
  }
  return { count, end: count === 0 ? at + 2 : offset(count), entry }
}

/** The last operand of each operator of a DICT (section 4), `NaN` for real numbers. */
function readDict(bytes: Buffer): ReadonlyMap<number, number> {
  const dict = new Map<number, number>()
  let [operands, last] = [0, NaN]
  for (let at = 0; at < bytes.length;) {
    const first = bytes.readUInt8(at)
    if (first <= 21) {
      dict.set(first === 12 ? 1200 + bytes.readUInt8(at + 1) : first, last)
      at += first === 12 ? 2 : 1
      operands = 0
    } else {
      if (++operands > maxOperands) throw new Error('A description in the font is damaged.')
      ;({ value: last, end: at } = readOperand(bytes, at, first))
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
