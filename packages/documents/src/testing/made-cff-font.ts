import { assemble, commonTables, int16 } from './made-font.ts'

/** How a font is made: the character its square stands for, and whether its glyphs have CIDs and parts, or names. */
interface MadeCffFont {
  character: string
  kind: 'cid' | 'named'
  /** What the square's first subroutine does instead of drawing. */
  subroutine?: Buffer
}

const number = (value: number) => Buffer.concat([Buffer.of(28), int16(value & 0xffff)])
/** A charstring: numbers in three bytes each, and operators. */
export const code = (...parts: (number | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? number(part) : Buffer.from(part, 'latin1'))))
/** An entry of a DICT: its operands in five bytes each, so that offsets may be put in later, and its operator. */
function entry(operator: readonly number[], ...operands: number[]): Buffer {
  const bytes = operands.map((operand) => {
    const five = Buffer.alloc(5, 29)
    five.writeInt32BE(operand, 1)
    return five
  })
  return Buffer.concat([...bytes, Buffer.from(operator)])
}

/** An INDEX with offsets of two bytes. */
function list(...entries: Buffer[]): Buffer {
  if (entries.length === 0) return int16(0)
  const offsets = [1]
  for (const { length } of entries) offsets.push((offsets.at(-1) ?? 0) + length)
  return Buffer.concat([int16(entries.length), Buffer.of(2), int16(...offsets), ...entries])
}

export const operator = {
  hstemhm: '\x12',
  hintmask: '\x13\xc0',
  rmoveto: '\x15',
  hlineto: '\x06',
  callsubr: '\x0a',
  callgsubr: '\x1d',
  back: '\x0b',
  endchar: '\x0e',
}

/** A square from 0 to 800 units whose hints and strokes are spread over both kinds of subroutines. */
const drawing = code(0, 800, operator.hstemhm, 0, 800, operator.hintmask, 0, 0, operator.rmoveto, operator.back)
const globalSubrs = [code(800, 800, -800, operator.hlineto, operator.endchar)]
const squareCode = code(1 - 107, operator.callsubr, -107, operator.callgsubr)
const outlines = list(code(operator.endchar), squareCode, code(operator.endchar))

/** Lays tables out behind each other, when what stands before them is as long with every offset. */
function layOut(make: (offsets: number[]) => { head: Buffer; tables: Buffer[] }): Buffer {
  const { head, tables } = make([])
  let at = head.length
  const offsets = tables.map((table) => (at += table.length) - table.length)
  const made = make(offsets)
  return Buffer.concat([made.head, ...made.tables])
}

const privateDict = entry([19], 6)
const privateOf = (at = 0) => entry([18], privateDict.length, at)
const header = (top: Buffer, ...strings: string[]) =>
  Buffer.concat([
    Buffer.of(1, 0, 4, 2),
    list(Buffer.from('Made')),
    list(top),
    list(...strings.map((text) => Buffer.from(text))),
    list(...globalSubrs),
  ])

/** The glyphs have names; the CFF data has one Private DICT. */
const named = (subrs: Buffer) =>
  layOut(([outlinesAt = 0, privateAt = 0]) => ({
    head: header(Buffer.concat([entry([17], outlinesAt), privateOf(privateAt)])),
    tables: [outlines, Buffer.concat([privateDict, subrs])],
  }))

/** The glyphs have CIDs that are not their numbers, and belong to the second of two parts. */
const keyed = (subrs: Buffer) =>
  layOut(([outlinesAt = 0, privateAt = 0, charsetAt = 0, selectAt = 0, partsAt = 0]) => ({
    head: header(
      Buffer.concat([
        entry([12, 30], 391, 392, 0),
        entry([15], charsetAt),
        entry([17], outlinesAt),
        entry([12, 36], partsAt),
        entry([12, 37], selectAt),
      ]),
      'Adobe',
      'Japan1',
    ),
    tables: [
      outlines,
      Buffer.concat([privateDict, subrs]),
      Buffer.concat([Buffer.of(0), int16(700, 701)]),
      Buffer.concat([Buffer.of(3), int16(2, 0), Buffer.of(0), int16(1), Buffer.of(1), int16(3)]),
      list(privateOf(privateAt), privateOf(privateAt)),
    ],
  }))

/** An OpenType font of PostScript outlines, 1,000 units an em, with a black square that fills most of the em. */
export function makeCffFont({ character, kind, subroutine = drawing }: MadeCffFont): Buffer {
  const subrs = list(code(operator.back), subroutine)
  const cff = kind === 'cid' ? keyed(subrs) : named(subrs)
  return assemble(0x4f54544f, [...commonTables({ character, format: 12 }, 3), ['CFF ', cff]])
}
