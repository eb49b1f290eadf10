import { clustersOf } from '../text/clusters.ts'
import { isRightToLeft } from '../text/direction.ts'
import { type Typesetter, widthOf, wrapText } from '../text/typeset.ts'
import { type Align, type Piece, type Script, type TabStop, textOf } from './flow.ts'
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
/** Characters between tabs that are looked at to place them. */
const maxAligned = 200
/** Of most letters, in shares of the type: not many more than fit are looked at for a line. */
const usualWidth = 0.4
/** How large exponents and indices are, and how high they stand, in shares of the type. */
const scripts: Readonly<Record<Script, { scale: number; rise: number }>> = {
  super: { scale: 0.8, rise: 0.35 },
  sub: { scale: 0.8, rise: -0.18 },
}
const scriptSigns: Readonly<Record<Script, string>> = { super: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻', sub: '₀₁₂₃₄₅₆₇₈₉₊₋' }

/** Breaks a paragraph into lines, each as wide as there is room for it; nothing is lost but blanks at the ends of lines. */
export class LineBreaker {
  readonly #pieces: readonly Piece[]
  readonly #text: string
  readonly #type: Type
  readonly #tabs: readonly TabStop[]
  readonly #rightToLeft: boolean
  #at = 0
  /** The piece that the line begins in, and where it begins itself. */
  #piece = { index: 0, start: 0 }
  /** How many fit on the line before. */
  #letters = Infinity
  /** Where the next of these signs is; past the end where there is none. */
  readonly #signs = new Map<string, number>()
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
    const end = this.#next('\n')
    let [x, least] = [0, 0]
    for (;;) {
      const stop = Math.min(end, this.#next('\t'))
      const taken = this.#take(stop, Math.max(width - x, least), x > 0)
      if (taken > this.#at) parts.push({ pieces: this.#cut(taken), x })
      const from = this.#at
      this.#at = taken
      const isBroken = taken < stop
      if (!isBroken && stop < end) {
        const across = widthOf(this.#text.slice(from, taken), this.#type.size, this.#type.fixed)
        this.#at = stop + 1
        ;[x, least] = this.#afterTab(x + across, start, width, end)
        continue
      }
      if (isBroken && !this.#type.fixed) while (this.#text[this.#at] === ' ') this.#at += 1
      else if (!isBroken) this.#at = end + 1
      this.isDone = isBroken ? this.#at >= this.#text.length : end >= this.#text.length
      return { parts, rightToLeft: this.#rightToLeft, isLast: !isBroken }
    }
  }

  /** Where the next sign of a kind is, which is not looked for again on every line. */
  #next(sign: string): number {
    const known = this.#signs.get(sign) ?? -1
    if (known >= this.#at) return known
    const found = this.#text.indexOf(sign, this.#at)
    const at = found < 0 ? this.#text.length : found
    this.#signs.set(sign, at)
    return at
  }

  /** The looks of the characters up to `end`. */
  #cut(end: number): Piece[] {
    const found: Piece[] = []
    let { index, start } = this.#piece
    for (; index < this.#pieces.length && start < end; index++) {
      const piece = this.#pieces[index]!
      const text = piece.text.slice(Math.max(0, this.#at - start), end - start)
      // A note is met once, where its mark begins.
      if (text !== '') found.push(this.#at > start && piece.note ? { ...piece, text, note: [] } : { ...piece, text })
      if (start + piece.text.length > end) break
      start += piece.text.length
    }
    this.#piece = { index, start }
    return found
  }

  /** Where the text that fits on `width` points ends, at `stop` at the latest. */
  #take(stop: number, width: number, isAfterTab: boolean): number {
    const { size, fixed } = this.#type
    if (fixed) {
      const columns = Math.max(1, Math.floor(width / (fixedAdvance * size)))
      const text = this.#text.slice(this.#at, Math.min(stop, this.#at + 20 * columns))
      return this.#at + clustersOf(text).slice(0, columns).join('').length
    }
    const usual = Math.ceil(Math.max(0, width) / (size * usualWidth))
    for (let letters = 20 + Math.min(usual, this.#letters * 1.2); ; letters *= 2) {
      const end = Math.min(stop, this.#at + letters)
      const text = this.#text.slice(this.#at, end)
      const [word = ''] = text.split(' ', 1)
      if (isAfterTab && width < usualTab * 3 && widthOf(word, size) > width) return this.#at
      const [line = '', ...others] = wrapText(text, size, Math.max(size, width))
      if (others.length > 0) {
        this.#letters = Math.max(line.length, 1)
        return this.#at + this.#letters
      }
      if (end === stop) return stop
    }
  }

  /** Where the text behind a tab begins, and the room that it has there at least. */
  #afterTab(x: number, start: number, width: number, end: number): [number, number] {
    const from = x + start
    const stop = this.#tabs.find(({ at }) => at > from + 1)
    const usual = Math.floor(from / usualTab + 1.05) * usualTab
    if (!stop) return [Math.min(usual - start, Math.max(x, width)), 0]
    const text = this.#text.slice(this.#at, Math.min(end, this.#next('\t'), this.#at + maxAligned))
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
    const { align = rightToLeft ? 'right' : 'left' } = at
    const across = align === 'left' ? 0 : set.reduce((sum, piece) => sum + widthIn(piece, size, fixed), 0)
    const rest = at.width - from - across
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
