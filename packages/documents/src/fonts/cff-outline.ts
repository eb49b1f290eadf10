import type { CffFont, CffIndex } from './cff.ts'

/** What one glyph may use: fonts stay far below it, and one that calls itself for ever is stopped. */
const max = { depth: 10, stack: 48, steps: 50_000, bytes: 0xffff }

const clearing = new Set([4, 5, 6, 7, 8, 21, 22, 24, 25, 26, 27, 30, 31])
const stems = new Set([1, 3, 18, 23])
const masks = new Set([19, 20])
/** Second bytes of the flex operators, and of dotsection, which means nothing any more. */
const clearingEscapes = new Set([0, 34, 35, 36, 37])
const [callSubr, exit, escape, end, short, callGlobalSubr, fixed] = [10, 11, 12, 14, 28, 29, 255]

/**
 * A glyph's Type 2 charstring with its subroutines written out in their places (Adobe Technical Note #5177), so that it
 * needs nothing of the font but its Private DICT. Throws when it is damaged, has no end, is too long, calculates, or is
 * composed of other glyphs, all of which fonts of our days do not.
 */
export function flattenOutline(font: CffFont, glyph: number): Buffer {
  const { subrs } = font.parts[font.partOf(glyph)]!
  const outline = new Outline(subrs, font.globalSubrs)
  if (!outline.follow(font.charStrings.entry(glyph), 0)) throw new Error('An outline has no end.')
  return outline.bytes()
}

class Outline {
  readonly #lists: Record<number, CffIndex>
  /** Operands, and where each begins in what is written. */
  #stack: { value: number; at: number }[] = []
  #written: number[] = []
  #stems = 0
  #steps = 0

  constructor(subrs: CffIndex, globalSubrs: CffIndex) {
    this.#lists = { [callSubr]: subrs, [callGlobalSubr]: globalSubrs }
  }

  bytes(): Buffer {
    return Buffer.from(this.#written)
  }

  /** Writes a charstring or a subroutine; true when the glyph ends in it. */
  follow(code: Buffer, depth: number): boolean {
    if (depth > max.depth) throw damaged()
    for (let at = 0; at < code.length;) {
      if (++this.#steps > max.steps || this.#written.length > max.bytes) throw damaged()
      const first = code.readUInt8(at)
      if (first === exit) return false
      if (first === callSubr || first === callGlobalSubr) {
        if (this.follow(this.#subroutine(first), depth + 1)) return true
        at++
      } else {
        const next = first >= 32 || first === short ? this.#number(code, at, first) : this.#operator(code, at, first)
        for (; at < next; at++) this.#written.push(code.readUInt8(at))
        if (first === end) return true
      }
    }
    return false
  }

  /** Takes the number of a subroutine off what is written. Numbers are biased (Technical Note #5177, section 4.7). */
  #subroutine(call: number): Buffer {
    const list = this.#lists[call]!
    const operand = this.#stack.pop()
    if (!operand) throw damaged()
    this.#written.length = operand.at
    const bias = list.count < 1240 ? 107 : list.count < 33_900 ? 1131 : 32_768
    const index = operand.value + bias
    if (!(index >= 0)) throw damaged()
    return list.entry(index)
  }

  /** Notes an operand; tells where it ends. */
  #number(code: Buffer, at: number, first: number): number {
    if (this.#stack.length === max.stack) throw damaged()
    const { value, length } = readNumber(code, at, first)
    this.#stack.push({ value, at: this.#written.length })
    return at + length
  }

  /** Does what an operator does to operands and stems; tells where it ends, its mask included. */
  #operator(code: Buffer, at: number, first: number): number {
    const operands = this.#stack.length
    this.#stack = []
    if (first === escape && clearingEscapes.has(code.readUInt8(at + 1))) return at + 2
    // Four operands and the width at the end: two glyphs of a character set that only old fonts have.
    if (clearing.has(first) || (first === end && operands < 4)) return at + 1
    if (!stems.has(first) && !masks.has(first)) throw damaged()
    this.#stems += operands >> 1
    return at + 1 + (masks.has(first) ? Math.ceil(this.#stems / 8) : 0)
  }
}

function readNumber(code: Buffer, at: number, first: number): { value: number; length: number } {
  if (first === short) return { value: code.readInt16BE(at + 1), length: 3 }
  if (first === fixed) return { value: code.readInt32BE(at + 1) / 0x10000, length: 5 }
  if (first <= 246) return { value: first - 139, length: 1 }
  const second = code.readUInt8(at + 1)
  if (first <= 250) return { value: (first - 247) * 256 + second + 108, length: 2 }
  return { value: (251 - first) * 256 - second - 108, length: 2 }
}

const damaged = () => new Error('An outline is damaged.')
