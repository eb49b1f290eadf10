import { bulletOf } from './docx-numbers.ts'
import { known, type ParagraphLook } from './docx-styles.ts'
import type { HtmlElement, HtmlNode } from './html-nodes.ts'
import { type ListCounts, type ListLevels, nextLabel } from './numbering.ts'
import { lengthOf, numberFormats } from './odt-styles.ts'
import { childOf, elementsIn, findAll, numberOf } from './xml.ts'

/** A list that is counted. */
export interface OdtList {
  style: string
  counts: ListCounts
}

function lookOf(level: HtmlElement): ParagraphLook {
  const properties = childOf(level, 'style:list-level-properties')
  const alignment = childOf(properties, 'style:list-level-label-alignment')?.attribs
  if (alignment) {
    const stop = lengthOf(alignment['text:list-tab-stop-position'])
    const tabs = stop === undefined ? undefined : [{ at: stop, align: 'left' as const }]
    return known<ParagraphLook>({
      left: lengthOf(alignment['fo:margin-left']),
      first: lengthOf(alignment['fo:text-indent']),
      tabs,
    })
  }
  const { attribs = {} } = properties ?? {}
  const label = lengthOf(attribs['text:min-label-width']) ?? 0
  return { left: (lengthOf(attribs['text:space-before']) ?? 0) + label, first: -label }
}

function readLevels(style: HtmlElement): ListLevels {
  const found = new Map(
    elementsIn(style)
      .filter(({ name }) => /level-style/.test(name))
      .map((level) => [(numberOf(level.attribs['text:level']) ?? 1) - 1, level]),
  )
  const isNumber = (at: number) => (found.get(at)?.attribs['style:num-format'] ?? '') !== ''
  return new Map(
    Array.from(found, ([at, level]) => {
      const { attribs, name } = level
      const isBullet = /(bullet|image)$/.test(name)
      const [start, format] = [numberOf(attribs['text:start-value']) ?? 1, attribs['style:num-format'] ?? '']
      const shown = isBullet ? 'none' : (numberFormats[format] ?? 'decimal')
      return [
        at,
        {
          start,
          format: shown,
          label: isBullet ? [bulletIn(level)] : labelOf(level, at, isNumber),
          look: lookOf(level),
        },
      ]
    }),
  )
}

function bulletIn({ name, attribs, children }: HtmlElement): string {
  if (/image$/.test(name)) return '•'
  const font = findAll(children, 'style:text-properties')[0]?.attribs
  return bulletOf(attribs['text:bullet-char'] ?? '•', font?.['style:font-name'] ?? font?.['fo:font-family']) ?? ''
}

/** How a label is put together, where it is said (`%1%.%2%)`), or of the numbers of so many levels. */
function labelOf({ attribs }: HtmlElement, at: number, isNumber: (at: number) => boolean): (string | number)[] {
  const pattern = attribs['style:num-list-format'] ?? attribs['loext:num-list-format']
  if (pattern !== undefined && attribs['style:num-format'] !== undefined) {
    return pattern.split(/%(\d+)%/).map((part, n) => (n % 2 === 1 ? Number(part) - 1 : part))
  }
  const shown = isNumber(at) ? Math.min(at + 1, numberOf(attribs['text:display-levels']) ?? 1) : 0
  const numbers = Array.from({ length: shown }, (_, n) => at + 1 - shown + n).filter(isNumber)
  const joined = numbers.flatMap((level, n) => (n > 0 ? ['.', level] : [level]))
  return [attribs['style:num-prefix'] ?? '', ...joined, attribs['style:num-suffix'] ?? '']
}

/** The list styles of an OpenDocument text (ISO/IEC 26300-1, 16.30), by their names; that of headings has none. */
export class OdtListStyles {
  readonly #styles = new Map<string, ListLevels>()

  constructor(...parts: readonly (readonly HtmlNode[])[]) {
    for (const style of parts.flatMap((nodes) => findAll(nodes, 'text:list-style', 'text:outline-style'))) {
      const levels = readLevels(style)
      if (style.name === 'text:outline-style') this.#styles.set('', levels)
      this.#styles.set(style.attribs['style:name'] ?? '', levels)
    }
  }

  has(style: string): boolean {
    return this.#styles.has(style)
  }

  lookOf(style: string, level: number): ParagraphLook {
    return this.#styles.get(style)?.get(level)?.look ?? {}
  }

  /** The label of the next item of a level; `start` is a number that it begins anew with. */
  next({ style, counts }: OdtList, at: number, start?: number): string | undefined {
    const levels = this.#styles.get(style)
    if (start !== undefined) counts[at] = start - 1
    return levels ? nextLabel(levels, counts, at) : '•'
  }
}
