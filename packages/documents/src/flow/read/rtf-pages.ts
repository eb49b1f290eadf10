import type { Bands, Block, PageShape, Section } from '../flow.ts'
import type { NumberFormat } from '../number-format.ts'

const twips = 20
/** Of the page, in twips (RTF 1.9.1, Document Formatting Properties). */
const usual = {
  ...{ width: 12_240, height: 15_840, left: 1800, right: 1800, top: 1440, bottom: 1440, header: 720, footer: 720 },
}
type Side = keyof typeof usual

/** Words for a side of the page: of the document and, behind the bar, of a section. */
const sides: Readonly<Record<string, Side>> = {
  ...{ paperw: 'width', paperh: 'height', margl: 'left', margr: 'right', margt: 'top', margb: 'bottom' },
  ...{ pgwsxn: 'width', pghsxn: 'height', marglsxn: 'left', margrsxn: 'right', margtsxn: 'top', margbsxn: 'bottom' },
  ...{ headery: 'header', footery: 'footer' },
}
const ofDocument = new Set('paperw paperh margl margr margt margb'.split(' '))
const numbers: Readonly<Record<string, NumberFormat>> = {
  ...{
    pgndec: 'decimal',
    pgnucrm: 'upper-roman',
    pgnlcrm: 'lower-roman',
    pgnucltr: 'upper-letter',
    pgnlcltr: 'lower-letter',
  },
}
const bands: Readonly<Record<string, readonly ['header' | 'footer', keyof Bands]>> = {
  ...{
    header: ['header', 'usual'],
    headerr: ['header', 'usual'],
    headerl: ['header', 'even'],
    headerf: ['header', 'first'],
  },
  ...{
    footer: ['footer', 'usual'],
    footerr: ['footer', 'usual'],
    footerl: ['footer', 'even'],
    footerf: ['footer', 'first'],
  },
}

interface Part {
  sides: Partial<Record<Side, number>>
  columns: { count: number; gap: number }
  numbers: NumberFormat
  firstNumber?: number
  restarts: boolean
  isContinuous: boolean
  hasFirst: boolean
}

const newPart = (): Part => {
  return {
    sides: {},
    columns: { count: 1, gap: 36 },
    numbers: 'decimal',
    restarts: false,
    isContinuous: false,
    hasFirst: false,
  }
}

/** The pages of a rich text document: their size, margins, columns, headers and footers, section by section. */
export class RtfPages {
  readonly #sides: Partial<Record<Side, number>> = {}
  #part = newPart()
  #facing = false
  #isKnown = false
  readonly #bands: Record<'header' | 'footer', Bands> = { header: {}, footer: {} }

  /** Whether a word is about pages. */
  set(word: string, number = 0): boolean {
    const side = sides[word]
    if (side) {
      const length = Math.min(31_680, Math.max(0, number))
      ;(ofDocument.has(word) ? this.#sides : this.#part.sides)[side] = length
      this.#isKnown = true
    } else if (numbers[word]) this.#part.numbers = numbers[word]
    else return this.#setPart(word, number)
    return true
  }

  #setPart(word: string, number: number): boolean {
    const part = this.#part
    if (word === 'sectd') this.#part = { ...newPart(), hasFirst: false }
    else if (word === 'cols') part.columns.count = Math.min(20, Math.max(1, number))
    else if (word === 'colsx') part.columns.gap = number / twips
    else if (word === 'sbknone') part.isContinuous = true
    else if (word === 'titlepg') part.hasFirst = true
    else if (word === 'facingp') this.#facing = true
    else if (word === 'pgnrestart') part.restarts = true
    else if (word === 'pgnstarts') part.firstNumber = number
    else return false
    return true
  }

  static isBand = (word: string): boolean => Object.hasOwn(bands, word)

  setBand(word: string, blocks: readonly Block[]): void {
    const [place, pages] = bands[word]!
    this.#bands[place] = { ...this.#bands[place], [pages]: blocks }
    this.#isKnown = true
  }

  /** The section that ends, as what it began with; undefined where nothing was said of the only one. */
  endSection(isOnly: boolean): Section | undefined {
    const { columns, numbers: format, firstNumber, restarts, isContinuous, hasFirst } = this.#part
    if (isOnly && !this.#isKnown && columns.count < 2) return undefined
    return {
      kind: 'section',
      ...(this.#isKnown ? { page: this.#page() } : {}),
      ...(columns.count > 1 ? { columns } : {}),
      header: this.#shown('header', hasFirst),
      footer: this.#shown('footer', hasFirst),
      ...(isContinuous ? { isContinuous } : {}),
      ...(restarts ? { firstNumber: firstNumber ?? 1 } : {}),
      numbers: format,
    }
  }

  #shown(place: 'header' | 'footer', hasFirst: boolean): Bands {
    const { usual: all = [], first = [], even = [] } = this.#bands[place]
    return { usual: all, ...(hasFirst ? { first } : {}), ...(this.#facing ? { even } : {}) }
  }

  #page(): PageShape {
    const own = { ...usual, ...this.#sides, ...this.#part.sides }
    return Object.fromEntries(
      Object.entries(own).map(([side, length]) => [side, length / twips]),
    ) as unknown as PageShape
  }
}
