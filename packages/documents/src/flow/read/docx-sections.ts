import type { Bands, Block, PageShape, Section } from '../flow.ts'
import { numberFormats } from './docx-numbers.ts'
import { pointsOf, toggle, valueOf } from './docx-styles.ts'
import type { HtmlElement } from './html-nodes.ts'
import { childOf, elementsIn, numberOf } from './xml.ts'

type References = Partial<Record<'default' | 'first' | 'even', string>>

const within = (value: number | undefined, usual: number, max: number) =>
  Math.min(max, Math.max(0, Math.abs(value ?? usual)))

function pageOf(sectPr: HtmlElement): PageShape {
  const [size, margins] = [childOf(sectPr, 'w:pgSz')?.attribs, childOf(sectPr, 'w:pgMar')?.attribs]
  const length = (text: string | undefined, usual: number) => Math.min(1584, Math.max(144, pointsOf(text) ?? usual))
  const [width, height] = [length(size?.['w:w'], 612), length(size?.['w:h'], 792)]
  const side = (name: string, usual: number, max: number) => within(pointsOf(margins?.[`w:${name}`]), usual, max)
  return {
    ...{ width, height },
    ...{ top: side('top', 72, height / 2.5), bottom: side('bottom', 72, height / 2.5) },
    ...{ left: side('left', 72, width / 2.5), right: side('right', 72, width / 2.5) },
    ...{ header: side('header', 36, height / 3), footer: side('footer', 36, height / 3) },
  }
}

/** Reads sections in their order: each inherits the headers and footers that it does not name (ECMA-376-1, 17.10.2). */
export class DocxSections {
  readonly #read: (id: string) => readonly Block[]
  readonly #evenDiffer: boolean
  #header: References = {}
  #footer: References = {}

  /** @param read the blocks of a header or a footer, by its relation */
  constructor(read: (id: string) => readonly Block[], settings: HtmlElement | undefined) {
    this.#read = read
    this.#evenDiffer = toggle(settings, 'w:evenAndOddHeaders') === true
  }

  /** What a `w:sectPr` says of the pages before it. */
  section(sectPr: HtmlElement): Section {
    const refer = (name: string, before: References): References => {
      const own = elementsIn(sectPr).filter((each) => each.name === name)
      return {
        ...before,
        ...Object.fromEntries(own.map(({ attribs }) => [attribs['w:type'] ?? 'default', attribs['r:id']])),
      }
    }
    this.#header = refer('w:headerReference', this.#header)
    this.#footer = refer('w:footerReference', this.#footer)
    const titlePage = toggle(sectPr, 'w:titlePg') === true
    const columns = childOf(sectPr, 'w:cols')
    const count = Math.min(12, numberOf(columns?.attribs['w:num']) ?? 1)
    const numbers = childOf(sectPr, 'w:pgNumType')?.attribs
    const firstNumber = numberOf(numbers?.['w:start'])
    const format = numberFormats[numbers?.['w:fmt'] ?? '']
    return {
      kind: 'section',
      page: pageOf(sectPr),
      ...(count > 1 ? { columns: { count, gap: pointsOf(columns?.attribs['w:space']) ?? 36 } } : {}),
      header: this.#bands(this.#header, titlePage),
      footer: this.#bands(this.#footer, titlePage),
      isContinuous: valueOf(sectPr, 'w:type') === 'continuous',
      ...(firstNumber === undefined ? {} : { firstNumber }),
      ...(format ? { numbers: format } : {}),
    }
  }

  #bands(references: References, titlePage: boolean): Bands {
    const read = (id: string | undefined) => (id === undefined ? [] : this.#read(id))
    return {
      usual: read(references.default),
      ...(titlePage ? { first: read(references.first) } : {}),
      ...(this.#evenDiffer ? { even: read(references.even) } : {}),
    }
  }
}
