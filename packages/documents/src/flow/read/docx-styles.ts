import type { Align, ParagraphFormat, Piece, TabStop } from '../flow.ts'
import type { HtmlElement } from './html-nodes.ts'
import { childOf, elementsIn, findAll, numberOf, pointsPerUnit } from './xml.ts'

/** How a run looks. */
export interface RunLook extends Pick<Piece, 'bold' | 'underlined' | 'struck' | 'script'> {
  hidden?: boolean
  capitals?: boolean
  /** In points. */
  size?: number
  font?: string
}

/** How a paragraph stands, lengths in points. */
export interface ParagraphLook extends Omit<ParagraphFormat, 'size' | 'leading'> {
  breaksBefore?: boolean
  /** No space between paragraphs of one style. */
  isTight?: boolean
  list?: string
  level?: number
}

export interface Style {
  paragraph: ParagraphLook
  run: RunLook
  /** Whether the style itself, not its base, is in a list. */
  table?: HtmlElement | undefined
}

const aligns: Readonly<Record<string, Align>> = {
  ...{ left: 'left', start: 'left', center: 'center', right: 'right', end: 'right' },
  ...{
    both: 'justify',
    distribute: 'justify',
    lowKashida: 'justify',
    mediumKashida: 'justify',
    highKashida: 'justify',
  },
}

export const valueOf = (parent: HtmlElement | undefined, name: string): string | undefined =>
  childOf(parent, name)?.attribs['w:val']

/** Twentieths of a point, which newer files may give with a unit (ECMA-376-1, 22.9.2.14). */
export function pointsOf(text: string | undefined): number | undefined {
  const number = numberOf(text)
  if (number === undefined) return undefined
  const unit = /[a-z]{2}$/.exec(text ?? '')?.[0]
  return number * (unit === undefined ? 0.05 : (pointsPerUnit[unit] ?? 0.05))
}

/** An object without what is undefined, so that it can be laid over another. */
export function known<T extends object>(values: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

/** A property that is on or off (ECMA-376-1, 17.17.4). */
export function toggle(parent: HtmlElement | undefined, name: string): boolean | undefined {
  const found = childOf(parent, name)
  return found && !/^(0|false|off|none)$/.test(found.attribs['w:val'] ?? '1')
}

export function readRun(rPr: HtmlElement | undefined): RunLook {
  if (!rPr) return {}
  const script = valueOf(rPr, 'w:vertAlign')
  const size = numberOf(valueOf(rPr, 'w:sz'))
  const fonts = childOf(rPr, 'w:rFonts')?.attribs
  const raised = script === undefined ? undefined : ({ superscript: 'super', subscript: 'sub' } as const)[script]
  return {
    ...known<RunLook>({
      bold: toggle(rPr, 'w:b'),
      underlined: toggle(rPr, 'w:u'),
      struck: toggle(rPr, 'w:strike') ?? toggle(rPr, 'w:dstrike'),
      hidden: toggle(rPr, 'w:vanish'),
      capitals: toggle(rPr, 'w:caps') ?? toggle(rPr, 'w:smallCaps'),
      size: size === undefined ? undefined : size / 2,
      font: fonts?.['w:ascii'] ?? fonts?.['w:hAnsi'],
    }),
    // `undefined` ends what a style says.
    ...(script === undefined ? {} : { script: raised }),
  }
}

export function readTabs(pPr: HtmlElement | undefined): TabStop[] | undefined {
  const tabs = childOf(pPr, 'w:tabs')
  return (
    tabs &&
    elementsIn(tabs).flatMap(({ attribs }): TabStop[] => {
      const [at, kind = 'left'] = [pointsOf(attribs['w:pos']), attribs['w:val']]
      if (at === undefined || kind === 'clear' || kind === 'bar') return []
      const align =
        kind === 'center' ? 'center' : kind === 'right' || kind === 'end' || kind === 'decimal' ? 'right' : 'left'
      return [{ at, align }]
    })
  )
}

export function readIndents(pPr: HtmlElement | undefined): ParagraphLook {
  const given = childOf(pPr, 'w:ind')?.attribs ?? {}
  const hanging = pointsOf(given['w:hanging'])
  return known<ParagraphLook>({
    left: pointsOf(given['w:left'] ?? given['w:start']),
    right: pointsOf(given['w:right'] ?? given['w:end']),
    first: hanging === undefined ? pointsOf(given['w:firstLine']) : -hanging,
  })
}

export function readParagraph(pPr: HtmlElement | undefined): ParagraphLook {
  if (!pPr) return {}
  const spacing = childOf(pPr, 'w:spacing')?.attribs ?? {}
  const line = numberOf(spacing['w:line'])
  const isAuto = (spacing['w:lineRule'] ?? 'auto') === 'auto'
  const automatic = (which: string) => (/^(1|true|on)$/.test(spacing[`w:${which}Autospacing`] ?? '') ? 14 : undefined)
  const list = childOf(pPr, 'w:numPr')
  return {
    ...readIndents(pPr),
    ...known<ParagraphLook>({
      align: aligns[valueOf(pPr, 'w:jc') ?? ''],
      above: automatic('before') ?? pointsOf(spacing['w:before']),
      below: automatic('after') ?? pointsOf(spacing['w:after']),
      spacing: line !== undefined && isAuto ? line / 240 : undefined,
      keepsNext: toggle(pPr, 'w:keepNext'),
      breaksBefore: toggle(pPr, 'w:pageBreakBefore'),
      isTight: toggle(pPr, 'w:contextualSpacing'),
      list: valueOf(list, 'w:numId'),
      level: numberOf(valueOf(list, 'w:ilvl')),
      tabs: readTabs(pPr),
    }),
  }
}

/** The styles of a Word document, each with what it inherits; a document may have none. */
export class DocxStyles {
  readonly #elements = new Map<string, HtmlElement>()
  readonly #resolved = new Map<string, Style>()
  readonly #defaults: Style
  readonly #usual: string | undefined

  constructor(root: HtmlElement | undefined) {
    const styles = elementsIn(root).filter(({ name }) => name === 'w:style')
    for (const style of styles) this.#elements.set(style.attribs['w:styleId'] ?? '', style)
    const isUsual = ({ attribs }: HtmlElement) =>
      attribs['w:type'] === 'paragraph' && /^(1|true|on)$/.test(attribs['w:default'] ?? '')
    this.#usual = styles.find(isUsual)?.attribs['w:styleId']
    const defaults = childOf(root, 'w:docDefaults')
    this.#defaults = {
      paragraph: readParagraph(childOf(childOf(defaults, 'w:pPrDefault'), 'w:pPr')),
      run: { size: 10, ...readRun(childOf(childOf(defaults, 'w:rPrDefault'), 'w:rPr')) },
    }
  }

  /** The style of a paragraph; the usual one where it names none. */
  paragraph(id: string | undefined): Style {
    const { paragraph, run } = this.#resolve(id !== undefined && this.#elements.has(id) ? id : this.#usual)
    return {
      paragraph: { ...this.#defaults.paragraph, ...paragraph },
      run: { ...this.#defaults.run, ...run },
    }
  }

  /** What a character style adds. */
  run(id: string | undefined): RunLook {
    return this.#resolve(id).run
  }

  /** What a style and its bases say alone. */
  own(id: string | undefined): Style {
    return this.#resolve(id)
  }

  #resolve(id: string | undefined, depth = 0): Style {
    const element = this.#elements.get(id ?? '')
    if (id === undefined || !element || depth > 20) return { paragraph: {}, run: {} }
    const found = this.#resolved.get(id)
    if (found) return found
    const base = this.#resolve(valueOf(element, 'w:basedOn'), depth + 1)
    const pPr = childOf(element, 'w:pPr')
    const [borders] = findAll(elementsIn(childOf(element, 'w:tblPr')), 'w:tblBorders')
    const style = {
      paragraph: { ...base.paragraph, ...readParagraph(pPr) },
      run: { ...base.run, ...readRun(childOf(element, 'w:rPr')) },
      table: borders ?? base.table,
    }
    this.#resolved.set(id, style)
    return style
  }
}
