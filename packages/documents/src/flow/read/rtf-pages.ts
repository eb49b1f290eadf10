import type { Bands, Block, PageShape, Section } from '../flow.ts'
import type { NumberFormat } from '../number-format.ts'

const twips = 20
const maxLength = 31_680

/** In twips, as a page is where nothing is said of it (RTF 1.9.1, Document Formatting Properties). */
const usual = {
  width: 12_240,
  height: 15_840,
  left: 1800,
  right: 1800,
  top: 1440,
  bottom: 1440,
  header: 720,
  footer: 720,
}
type Side = keyof typeof usual
/** Words for a length of the document's pages, and of a section's. */
const sides = new Map<string, Side>([
  ...(Object.entries({ paperw: 'width', paperh: 'height', pgwsxn: 'width', pghsxn: 'height' }) as [string, Side][]),
  ...(['left', 'right', 'top', 'bottom'] as const).flatMap((side): [string, Side][] => {
    return ['', 'sxn'].map((end) => [`marg${side[0]}${end}`, side])
  }),
  ...(['header', 'footer'] as const).map((side): [string, Side] => [`${side}y`, side]),
])
const ofSection = /sxn$|y$/
const numbers = new Map<string, NumberFormat>([
  ...(
    [
      ['rm', 'roman'],
      ['ltr', 'letter'],
    ] as const
  ).flatMap(([end, kind]): [string, NumberFormat][] => {
    return [
      [`pgnuc${end}`, `upper-${kind}`],
      [`pgnlc${end}`, `lower-${kind}`],
    ]
  }),
])
/** A header or footer: of left, right or first pages, or of all. */
const band = /^(header|footer)([lrf]?)$/

/** The pages of a rich text document: their size, margins, columns, headers and footers, section by section. */
export class RtfPages {
  readonly #sides = new Map<Side, number>()
  #ownSides = new Map<Side, number>()
  #part: Partial<Section> = {}
  #columns = { count: 1, gap: 36 }
  #firstNumber = 1
  #hasFirst = false
  #facing = false
  #isKnown = false
  readonly #bands: Record<'header' | 'footer', Bands> = { header: {}, footer: {} }

  /** Whether a word is about pages. */
  set(word: string, number = 0): boolean {
    const side = sides.get(word)
    const format = numbers.get(word)
    if (side) {
      const own = ofSection.test(word) ? this.#ownSides : this.#sides
      own.set(side, Math.min(maxLength, Math.max(0, number)))
      this.#isKnown = true
    } else if (format) this.#part.numbers = format
    else if (word === 'cols') this.#columns.count = Math.min(20, Math.max(1, number))
    else if (word === 'colsx') this.#columns.gap = number / twips
    else if (word === 'sbknone') this.#part.isContinuous = true
    else if (word === 'pgnrestart') this.#part.firstNumber = this.#firstNumber
    else if (word === 'pgnstarts') this.#firstNumber = number
    else if (word === 'titlepg') this.#hasFirst = true
    else if (word === 'facingp') this.#facing = true
    else if (word === 'sectd') this.#beginSection()
    else return false
    return true
  }

  #beginSection(): void {
    this.#ownSides = new Map()
    this.#part = {}
    this.#columns = { count: 1, gap: 36 }
    this.#firstNumber = 1
    this.#hasFirst = false
  }

  static isBand = (word: string): boolean => band.test(word)

  setBand(word: string, blocks: readonly Block[]): void {
    const [, place, side = ''] = band.exec(word)!
    const pages = side === 'f' ? 'first' : side === 'l' ? 'even' : 'usual'
    const all = this.#bands[place as 'header' | 'footer']
    this.#bands[place as 'header' | 'footer'] = { ...all, [pages]: blocks }
    this.#isKnown = true
  }

  /** The section that ends, as what it began with; undefined where nothing was said of the only one. */
  endSection(isOnly: boolean): Section | undefined {
    const columns = this.#columns
    if (isOnly && !this.#isKnown && columns.count < 2) return undefined
    const page = Object.entries(usual).map(([side, length]) => {
      return [side, (this.#ownSides.get(side as Side) ?? this.#sides.get(side as Side) ?? length) / twips]
    })
    return {
      ...{ kind: 'section', header: this.#shown('header'), footer: this.#shown('footer'), ...this.#part },
      ...(this.#isKnown ? { page: Object.fromEntries(page) as unknown as PageShape } : {}),
      ...(columns.count > 1 ? { columns } : {}),
    }
  }

  #shown(place: 'header' | 'footer'): Bands {
    const { usual: all = [], first = [], even = [] } = this.#bands[place]
    return { usual: all, ...(this.#hasFirst ? { first } : {}), ...(this.#facing ? { even } : {}) }
  }
}
