import type { Bands, Block, Section } from '../flow.ts'
import type { HtmlElement, HtmlNode } from './html-nodes.ts'
import { columnsOf, lengthOf, numberFormats } from './odt-styles.ts'
import { childOf, elementsIn, findAll } from './xml.ts'

const kinds = { usual: '', first: '-first', even: '-left' } as const

/** The pages of an OpenDocument text: master pages with their layouts (ISO/IEC 26300-1, 16.5 and 16.9). */
export class OdtPages {
  readonly #masters: ReadonlyMap<string, HtmlElement>
  readonly #layouts: ReadonlyMap<string, HtmlElement>
  readonly #read: (band: HtmlElement) => Block[]

  constructor(styles: readonly HtmlNode[], read: (band: HtmlElement) => Block[]) {
    const named = (name: string) =>
      new Map(findAll(styles, name).map((each) => [each.attribs['style:name'] ?? '', each]))
    this.#masters = named('style:master-page')
    this.#layouts = named('style:page-layout')
    this.#read = read
  }

  /** What a master page says; that of the first page where it is not known. */
  section(name: string | undefined): Section {
    const master = this.#masters.get(name ?? 'Standard') ?? [...this.#masters.values()][0]
    if (!master) return { kind: 'section' }
    const next = this.#masters.get(master.attribs['style:next-style-name'] ?? '')
    const layout = this.#layouts.get(master.attribs['style:page-layout-name'] ?? '')
    const properties = childOf(layout, 'style:page-layout-properties')
    const bands = { header: this.#bands(master, 'header', next), footer: this.#bands(master, 'footer', next) }
    const numbers = numberFormats[properties?.attribs['style:num-format'] ?? '1']
    const columns = columnsOf(properties)
    return {
      kind: 'section',
      ...(properties ? { page: this.#shapeOf(properties, layout, bands) } : {}),
      ...(columns ? { columns } : {}),
      ...bands,
      ...(numbers && numbers !== 'none' ? { numbers } : {}),
    }
  }

  #shapeOf({ attribs }: HtmlElement, layout: HtmlElement | undefined, bands: { header: Bands; footer: Bands }) {
    const length = (name: string, usual: number) => Math.min(1584, Math.max(144, lengthOf(attribs[name]) ?? usual))
    const [width, height] = [length('fo:page-width', 595), length('fo:page-height', 842)]
    const margin = (side: string) =>
      Math.min(width / 2.5, Math.max(0, lengthOf(attribs[`fo:margin-${side}`] ?? attribs['fo:margin']) ?? 57))
    const [header, footer] = [margin('top'), margin('bottom')]
    /** Headers stand inside of the margins. */
    const room = (band: 'header' | 'footer') => {
      if ((bands[band].usual?.length ?? 0) === 0) return 0
      const [found] = findAll(elementsIn(childOf(layout, `style:${band}-style`)), 'style:header-footer-properties')
      return lengthOf(found?.attribs['svg:height']) ?? lengthOf(found?.attribs['fo:min-height']) ?? 0
    }
    return {
      ...{ width, height, left: margin('left'), right: margin('right'), header, footer },
      ...{ top: header + Math.min(room('header'), height / 4), bottom: footer + Math.min(room('footer'), height / 4) },
    }
  }

  #bands(master: HtmlElement, band: 'header' | 'footer', next: HtmlElement | undefined): Bands {
    const read = (from: HtmlElement, kind: keyof typeof kinds): Block[] | undefined => {
      const found = ['style', 'loext']
        .map((prefix) => childOf(from, `${prefix}:${band}${kinds[kind]}`))
        .find((each) => each)
      if (!found || (kind === 'usual' && found.attribs['style:display'] === 'false')) return undefined
      return found.attribs['style:display'] === 'false' ? undefined : this.#read(found)
    }
    const own = Object.fromEntries(
      (['usual', 'first', 'even'] as const).flatMap((kind) => {
        const blocks = read(master, kind)
        return blocks ? [[kind, blocks]] : []
      }),
    ) as Bands
    if (!next || next === master) return own
    // A page that is followed by another kind is the first of its section.
    return { first: own.usual ?? [], usual: read(next, 'usual') ?? [] }
  }
}
