import { clustersOf } from '../text/clusters.ts'
import { isRightToLeft } from '../text/direction.ts'
import type { Typesetter } from '../text/typeset.ts'
import { widthOf, wrapText } from '../text/typeset.ts'
import type { Align, Piece, Script, TabStop } from './flow.ts'
import { textOf } from './flow.ts'
import { formatNumber, type NumberFormat } from './number-format.ts'

/** How lines of a paragraph are set, in points. */
export interface Type {
  size: number
  /** From one line to the next. */
  leading: number
  bold?: boolean
  fixed?: boolean
}

/** A line of a paragraph with its looks: more than one part where tabs divide it. */
export interface Line {
  parts: readonly { pieces: readonly Piece[]; x: number }[]
  rightToLeft: boolean
  /** Of a paragraph, or ended by its writer: it is not stretched. */
  isLast: boolean
}

/** What fields show: the number of a page and how many there are. */
export interface PageCount {
  number: number
  pages: number
  numbers?: NumberFormat
}

const fixedAdvance = 0.602
const ruleHeight = 0.75
const usualTab = 36
/** Narrower than any letter, in shares of the type: more letters than fit are not looked at for a line. */
const narrowest = 0.15
/** How large exponents and indices are, and how high they stand, in shares of the type. */
const scripts: Readonly<Record<Script, { scale: number; rise: number }>> = {
  super: { scale: 0.8, rise: 0.35 },
  sub: { scale: 0.8, rise: -0.18 },
}
const scriptSigns: Readonly<Record<Script, string>> = { super: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻', sub: '₀₁₂₃₄₅₆₇₈₉₊₋' }

/** The looks of the characters from `start` to `end` of a paragraph. */
function cut(pieces: readonly Piece[], start: number, end: number): Piece[] {
  const found: Piece[] = []
  let at = 0
  for (const piece of pieces) {
    if (at >= end) break
    const text = piece.text.slice(Math.max(0, start - at), Math.max(0, end - at))
    // A note is met once, where its mark begins.
    if (text !== '') found.push(start > at && piece.note ? { ...piece, text, note: [] } : { ...piece, text })
    at += piece.text.length
  }
  return found
}

/** Breaks a paragraph into lines, each as wide as there is room for it; nothing is lost but blanks at the ends of lines. */
export class LineBreaker {
  readonly #pieces: readonly Piece[]
  readonly #text: string
  readonly #type: Type
  readonly #tabs: readonly TabStop[]
  readonly #rightToLeft: boolean
  #at = 0
  isDone = false

  constructor(paragraph: readonly Piece[], type: Type, tabs: readonly TabStop[] = []) {
    const blanks = type.fixed ? '        ' : '\t'
    this.#pieces = paragraph.map((piece) => {
      const text = piece.text.replace(/\r\n|[\r\f\u2028\u2029]/g, '\n').replaceAll('\t', blanks)
      return { ...piece, text: text.normalize('NFC') }
    })
    const text = textOf(this.#pieces)
    this.#text = type.fixed ? text.replace(/\s+$/, '') : text
    this.#type = type
    this.#tabs = tabs
    this.#rightToLeft = isRightToLeft(this.#text)
  }

  /** The next line on `width` points; `start` is how far it begins from the left edge that tabs are counted from. */
  next(width: number, start = 0): Line {
    const parts: { pieces: Piece[]; x: number }[] = []
    const newline = this.#text.indexOf('\n', this.#at)
    const end = newline < 0 ? this.#text.length : newline
    let [x, least] = [0, 0]
    for (;;) {
      const tab = this.#text.slice(this.#at, end).indexOf('\t')
      const stop = tab < 0 ? end : this.#at + tab
      const taken = this.#take(stop, Math.max(width - x, least), x > 0)
      if (taken > this.#at) parts.push({ pieces: cut(this.#pieces, this.#at, taken), x })
      const across = widthOf(this.#text.slice(this.#at, taken), this.#type.size, this.#type.fixed)
      this.#at = taken
      const isBroken = taken < stop
      if (!isBroken && stop < end) {
        this.#at = stop + 1
        ;[x, least] = this.#afterTab(x + across, start, width, end)
        continue
      }
      if (isBroken && !this.#type.fixed) while (this.#text[this.#at] === ' ') this.#at += 1
      else if (!isBroken) this.#at = end + 1
      this.isDone = isBroken ? this.#at >= this.#text.length : newline < 0
      return { parts, rightToLeft: this.#rightToLeft, isLast: !isBroken }
    }
  }

  /** Where the text that fits on `width` points ends, at `stop` at the latest. */
  #take(stop: number, width: number, isAfterTab: boolean): number {
    const { size, fixed } = this.#type
    const most = this.#at + Math.ceil(Math.max(0, width) / (size * narrowest)) + 40
    const text = this.#text.slice(this.#at, Math.min(stop, most))
    if (fixed) {
      const columns = Math.max(1, Math.floor(width / (fixedAdvance * size)))
      return this.#at + clustersOf(text).slice(0, columns).join('').length
    }
    if (isAfterTab && widthOf(text.split(' ', 1)[0]!, size) > width && width < usualTab * 3) return this.#at
    const [line = '', ...others] = wrapText(text, size, Math.max(size, width))
    return others.length === 0 && most >= stop ? stop : this.#at + Math.max(line.length, text === '' ? 0 : 1)
  }

  /** Where the text behind a tab begins, and the room that it has there at least. */
  #afterTab(x: number, start: number, width: number, end: number): [number, number] {
    const from = x + start
    const stop = this.#tabs.find(({ at }) => at > from + 1)
    const usual = Math.floor(from / usualTab + 1.05) * usualTab
    if (!stop) return [Math.min(usual - start, Math.max(x, width)), 0]
    const [text = ''] = this.#text.slice(this.#at, end).split('\t', 1)
    const across = widthOf(text.trimEnd(), this.#type.size)
    const share = { left: 0, center: 0.5, right: 1 }[stop.align]
    const begins = Math.min(stop.at - start, share > 0 ? width : Infinity) - share * across
    return [Math.max(x + 2, begins), share > 0 ? across + 1 : 0]
  }
}

/** Exponents and indices as characters of their own, as far as there are any. */
const asSigns = ({ text, script }: Piece): string =>
  script
    ? text.replaceAll('−', '-').replace(/[\d+-]/g, (sign) => scriptSigns[script]['0123456789+-'.indexOf(sign)]!)
    : text

function filled(piece: Piece, { number, pages, numbers }: PageCount): Piece {
  if (!piece.field) return piece
  return { ...piece, text: piece.field === 'page' ? formatNumber(number, numbers) : String(pages) }
}

/** Pieces as single words with their blanks, for lines that are stretched. */
const wordsOf = (pieces: readonly Piece[]): Piece[] =>
  pieces.flatMap((piece) => piece.text.split(/(?<= )(?=[^ ])/).map((text) => ({ ...piece, text })))

/** Draws a line with its baseline at `y`, between `x` and `x + width`. */
export function drawLine(
  typesetter: Typesetter,
  { parts, rightToLeft, isLast }: Line,
  at: { x: number; y: number; width: number; align?: Align },
  type: Type,
  count: PageCount = { number: 1, pages: 1 },
): void {
  const { size, fixed = false } = type
  for (const { pieces: found, x: from } of parts) {
    const pieces = found.map((piece) => filled(piece, count))
    // Looks of a line that runs from right to left would tear it apart: it is set in one.
    const set = rightToLeft ? [{ text: pieces.map(asSigns).join('') }] : pieces
    const rest = at.width - from - pieces.reduce((sum, piece) => sum + widthIn(piece, size, fixed), 0)
    const { align = rightToLeft ? 'right' : 'left' } = at
    const inset = parts.length > 1 ? 0 : { left: 0, justify: 0, center: rest / 2, right: rest }[align]
    const isStretched = align === 'justify' && !isLast && !rightToLeft && rest > 0
    const words = isStretched ? wordsOf(set) : set
    const gaps = words.filter(({ text }, n) => n < words.length - 1 && text.endsWith(' ')).length
    drawPieces(
      typesetter,
      words,
      { x: at.x + from + inset, y: at.y, gap: isStretched && gaps > 0 ? rest / gaps : 0 },
      type,
      rightToLeft,
    )
  }
}

const widthIn = ({ text, script }: Piece, size: number, fixed: boolean) =>
  widthOf(text, size * (script ? scripts[script].scale : 1), fixed)

function drawPieces(
  typesetter: Typesetter,
  pieces: readonly Piece[],
  at: { x: number; y: number; gap: number },
  { size, bold, fixed = false }: Type,
  rightToLeft: boolean,
): void {
  let { x } = at
  for (const piece of pieces) {
    const { text, script } = piece
    const { scale, rise } = script ? scripts[script] : { scale: 1, rise: 0 }
    const [own, y] = [size * scale, at.y + size * rise]
    const across = widthOf(text, own, fixed) + (text.endsWith(' ') ? at.gap : 0)
    typesetter.write(text, { x, y, size: own, bold: piece.bold === true || bold === true, rightToLeft, fixed })
    if (piece.underlined) typesetter.bar(x, y - own * 0.16, across, ruleHeight)
    if (piece.struck) typesetter.bar(x, y + own * 0.27, across, ruleHeight)
    x += across
  }
}
