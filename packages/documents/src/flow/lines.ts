import { clustersOf } from '../text/clusters.ts'
import { isRightToLeft } from '../text/direction.ts'
import type { Typesetter } from '../text/typeset.ts'
import { widthOf, wrapText } from '../text/typeset.ts'
import type { Piece, Script } from './flow.ts'
import { textOf } from './flow.ts'

/** How lines of a paragraph are set, in points. */
export interface Type {
  size: number
  /** From one line to the next. */
  leading: number
  bold?: boolean
  fixed?: boolean
}

/** A line of a paragraph with its looks. */
export interface Line {
  pieces: readonly Piece[]
  rightToLeft: boolean
}

const fixedAdvance = 0.602
const ruleHeight = 0.75
/** How large exponents and indices are, and how high they stand, in shares of the type. */
const scripts: Readonly<Record<Script, { scale: number; rise: number }>> = {
  super: { scale: 0.8, rise: 0.35 },
  sub: { scale: 0.8, rise: -0.18 },
}
const scriptSigns: Readonly<Record<Script, string>> = { super: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻', sub: '₀₁₂₃₄₅₆₇₈₉₊₋' }

/** Lines of letters that are all as wide: cut at the edge, blanks kept. */
function wrapFixed(text: string, { size }: Type, width: number): string[] {
  const columns = Math.max(1, Math.floor(width / (fixedAdvance * size)))
  return text
    .replace(/\s+$/, '')
    .split('\n')
    .flatMap((line) => {
      const letters = clustersOf(line.replaceAll('\t', '        '))
      const count = Math.max(1, Math.ceil(letters.length / columns))
      return Array.from({ length: count }, (_, n) => letters.slice(n * columns, (n + 1) * columns).join(''))
    })
}

/** The looks of the characters from `start` to `end` of a paragraph. */
function cut(pieces: readonly Piece[], start: number, end: number): Piece[] {
  const found: Piece[] = []
  let at = 0
  for (const piece of pieces) {
    const text = piece.text.slice(Math.max(0, start - at), Math.max(0, end - at))
    if (text !== '') found.push({ ...piece, text })
    at += piece.text.length
  }
  return found
}

/** Breaks a paragraph to a width in points; nothing is lost but blanks at the ends of lines. */
export function breakLines(paragraph: readonly Piece[], type: Type, width: number): Line[] {
  const pieces = paragraph.map((piece) => ({ ...piece, text: piece.text.replaceAll('\t', '    ').normalize('NFC') }))
  const text = textOf(pieces)
  const rightToLeft = isRightToLeft(text)
  if (type.fixed) return wrapFixed(text, type, width).map((line) => ({ pieces: [{ text: line }], rightToLeft }))
  let at = 0
  return wrapText(text, type.size, width).map((line) => {
    const start = text.indexOf(line, at)
    at = start + line.length
    return { pieces: cut(pieces, start, at), rightToLeft }
  })
}

/** Exponents and indices as characters of their own, as far as there are any. */
const asSigns = ({ text, script }: Piece): string =>
  script
    ? text.replaceAll('−', '-').replace(/[\d+-]/g, (sign) => scriptSigns[script]['0123456789+-'.indexOf(sign)]!)
    : text

/** Draws a line with its baseline at `y`, between `x` and `x + width`. */
export function drawLine(typesetter: Typesetter, line: Line, at: { x: number; y: number; width: number }, type: Type) {
  const { size, fixed = false } = type
  // Looks of a line that runs from right to left would tear it apart: it is set in one.
  const pieces: readonly Piece[] = line.rightToLeft ? [{ text: line.pieces.map(asSigns).join('') }] : line.pieces
  const inset = line.rightToLeft ? at.width - widthOf(textOf(pieces), size, fixed) : 0
  let x = at.x + inset
  for (const { text, bold = false, underlined, struck, script } of pieces) {
    const { scale, rise } = script ? scripts[script] : { scale: 1, rise: 0 }
    const [own, y] = [size * scale, at.y + size * rise]
    const across = widthOf(text, own, fixed)
    const { rightToLeft } = line
    typesetter.write(text, { x, y, size: own, bold: bold || type.bold === true, rightToLeft, fixed })
    if (underlined) typesetter.bar(x, y - own * 0.16, across, ruleHeight)
    if (struck) typesetter.bar(x, y + own * 0.27, across, ruleHeight)
    x += across
  }
}
