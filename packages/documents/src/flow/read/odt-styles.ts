import type { Align, TabStop } from '../flow.ts'
import type { NumberFormat } from '../number-format.ts'
import { known, type ParagraphLook, type RunLook } from './docx-styles.ts'
import type { HtmlElement, HtmlNode } from './html-nodes.ts'
import { childOf, elementsIn, findAll, numberOf, pointsPerUnit } from './xml.ts'

const aligns: Readonly<Record<string, Align>> = {
  ...{ left: 'left', start: 'left', center: 'center', right: 'right', end: 'right', justify: 'justify' },
}

/** A length in points; undefined for none, and for a share. */
export function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = ''] = /^(-?[\d.]+)\s*([a-z]+)$/.exec(text ?? '') ?? []
  return number === undefined || pointsPerUnit[unit] === undefined ? undefined : Number(number) * pointsPerUnit[unit]
}

/** ISO/IEC 26300-1, 19.500. */
export const numberFormats: Readonly<Record<string, NumberFormat>> = {
  ...{ '1': 'decimal', a: 'lower-letter', A: 'upper-letter', i: 'lower-roman', I: 'upper-roman', '': 'none' },
}

/** What a style of a paragraph or a run says, with what it inherits. */
export interface OdtStyle {
  paragraph: ParagraphLook & {
    breaksAfter?: boolean
    breaksColumn?: boolean
    master?: string
    pageNumber?: number
    outlineLevel?: number
  }
  run: RunLook
  /** Graphic, table, column and cell properties by their names. */
  properties: Readonly<Record<string, string>>
  /** Of a section or a page. */
  columns?: { count: number; gap: number }
}

function runOf(properties: HtmlElement | undefined, base: RunLook): RunLook {
  if (!properties) return {}
  const { attribs } = properties
  const is = (name: string, value: RegExp) => (attribs[name] === undefined ? undefined : value.test(attribs[name]))
  const position = attribs['style:text-position']
  const size = attribs['fo:font-size']
  const script = /^(super|[1-9])/.test(position ?? '') ? 'super' : /^(sub|-)/.test(position ?? '') ? 'sub' : undefined
  return {
    ...known<RunLook>({
      bold: is('fo:font-weight', /bold|[6-9]00/),
      underlined: is('style:text-underline-style', /^(?!none)./),
      struck: is('style:text-line-through-style', /^(?!none)./) ?? is('style:text-line-through-type', /^(?!none)./),
      hidden: is('text:display', /none/),
      capitals: is('fo:text-transform', /uppercase/) ?? is('fo:font-variant', /small-caps/),
      size: size?.endsWith('%') ? ((base.size ?? 12) * Number.parseFloat(size)) / 100 : lengthOf(size),
    }),
    ...(position === undefined ? {} : { script }),
  }
}

function tabsOf(properties: HtmlElement): TabStop[] | undefined {
  const stops = childOf(properties, 'style:tab-stops')
  return (
    stops &&
    elementsIn(stops).map(({ attribs }): TabStop => {
      const type = attribs['style:type']
      const align = type === 'center' ? 'center' : type === 'right' || type === 'char' ? 'right' : 'left'
      return { at: lengthOf(attribs['style:position']) ?? 0, align }
    })
  )
}

function paragraphOf(properties: HtmlElement | undefined): OdtStyle['paragraph'] {
  if (!properties) return {}
  const { attribs } = properties
  const margin = (side: string) => lengthOf(attribs[`fo:margin-${side}`] ?? attribs['fo:margin'])
  const height = attribs['fo:line-height']
  const before = attribs['fo:break-before']
  return known<OdtStyle['paragraph']>({
    align: aligns[attribs['fo:text-align'] ?? ''],
    ...{ left: margin('left'), right: margin('right'), above: margin('top'), below: margin('bottom') },
    first: lengthOf(attribs['fo:text-indent']),
    spacing: height?.endsWith('%') ? Number.parseFloat(height) / 100 : undefined,
    keepsNext: attribs['fo:keep-with-next'] === undefined ? undefined : attribs['fo:keep-with-next'] === 'always',
    breaksBefore: before === undefined ? undefined : before === 'page',
    breaksColumn: before === undefined ? undefined : before === 'column',
    breaksAfter: attribs['fo:break-after'] === undefined ? undefined : attribs['fo:break-after'] === 'page',
    pageNumber: numberOf(attribs['style:page-number']),
    isTight:
      attribs['style:contextual-spacing'] === undefined ? undefined : attribs['style:contextual-spacing'] === 'true',
    tabs: tabsOf(properties),
  })
}

export function columnsOf(properties: HtmlElement | undefined): { count: number; gap: number } | undefined {
  const columns = childOf(properties, 'style:columns')?.attribs
  const count = Math.min(12, numberOf(columns?.['fo:column-count']) ?? 1)
  return count > 1 ? { count, gap: lengthOf(columns?.['fo:column-gap']) ?? 18 } : undefined
}

/** The styles of an OpenDocument text: those of the document, and those that its programs made for single paragraphs. */
export class OdtStyles {
  readonly #elements = new Map<string, HtmlElement>()
  readonly #defaults = new Map<string, HtmlElement>()
  readonly #resolved = new Map<string, OdtStyle>()

  constructor(...parts: readonly (readonly HtmlNode[])[]) {
    for (const style of parts.flatMap((nodes) => findAll(nodes, 'style:style', 'style:default-style'))) {
      const family = style.attribs['style:family'] ?? 'paragraph'
      if (style.name === 'style:default-style') this.#defaults.set(family, style)
      // Some programs leave the family out.
      else
        for (const each of style.attribs['style:family'] ? [family] : ['paragraph', 'text'])
          this.#elements.set(`${each} ${style.attribs['style:name']}`, style)
    }
  }

  get(family: string, name: string | undefined, depth = 0): OdtStyle {
    const key = `${family} ${name}`
    const found = this.#resolved.get(key)
    if (found) return found
    const element = this.#elements.get(key)
    if (!element || depth > 20)
      return family === 'text' ? { paragraph: {}, run: {}, properties: {} } : this.#read(this.#defaults.get(family))
    const base = this.get(family, element.attribs['style:parent-style-name'] ?? ' ', depth + 1)
    const own = this.#read(element, base.run)
    const list = element.attribs['style:list-style-name']
    const master = element.attribs['style:master-page-name']
    const { columns = base.columns } = own
    const style: OdtStyle = {
      paragraph: {
        ...base.paragraph,
        ...own.paragraph,
        ...(list === undefined ? {} : { list }),
        ...(master ? { master } : {}),
      },
      run: { ...base.run, ...own.run },
      properties: { ...base.properties, ...own.properties },
      ...(columns ? { columns } : {}),
    }
    this.#resolved.set(key, style)
    return style
  }

  /** What the style of a paragraph says alone. */
  own(name: string | undefined): OdtStyle['paragraph'] {
    return paragraphOf(childOf(this.#elements.get(`paragraph ${name}`), 'style:paragraph-properties'))
  }

  #read(element: HtmlElement | undefined, base: RunLook = {}): OdtStyle {
    const others = elementsIn(element).filter(({ name }) =>
      /^style:(graphic|table|table-column|table-cell|section)-properties$/.test(name),
    )
    const columns = columnsOf(childOf(element, 'style:section-properties'))
    return {
      paragraph: paragraphOf(childOf(element, 'style:paragraph-properties')),
      run: runOf(childOf(element, 'style:text-properties'), base),
      properties: Object.assign({}, ...others.map(({ attribs }) => attribs)) as Record<string, string>,
      ...(columns ? { columns } : {}),
    }
  }
}
