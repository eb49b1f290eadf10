import { formatNumber } from '../number-format.ts'
import { bulletOf } from './docx-numbers.ts'
import { known, type ParagraphLook } from './docx-styles.ts'
import type { HtmlElement, HtmlNode } from './html-nodes.ts'
import { lengthOf, numberFormats } from './odt-styles.ts'
import { childOf, elementsIn, findAll, numberOf } from './xml.ts'

interface Level {
  bullet: string | undefined
  format: string | undefined
  prefix: string
  suffix: string
  /** How the label is put together, where it is said: `%1%.%2%)`. */
  pattern: string | undefined
  start: number
  shown: number
  look: ParagraphLook
}

/** A list that is counted: how many items each level has. */
export interface OdtList {
  style: string
  counts: (number | undefined)[]
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

function readLevel(level: HtmlElement): [number, Level] {
  const { attribs, name } = level
  const bullet = attribs['text:bullet-char']
  const font = findAll(level.children, 'style:text-properties')[0]?.attribs
  return [
    numberOf(attribs['text:level']) ?? 1,
    {
      bullet: /bullet$/.test(name)
        ? bulletOf(bullet ?? '•', font?.['style:font-name'] ?? font?.['fo:font-family'])
        : /image$/.test(name)
          ? '•'
          : undefined,
      format: attribs['style:num-format'],
      prefix: attribs['style:num-prefix'] ?? '',
      suffix: attribs['style:num-suffix'] ?? '',
      pattern: attribs['style:num-list-format'] ?? attribs['loext:num-list-format'],
      start: numberOf(attribs['text:start-value']) ?? 1,
      shown: numberOf(attribs['text:display-levels']) ?? 1,
      look: lookOf(level),
    },
  ]
}

/** The list styles of an OpenDocument text (ISO/IEC 26300-1, 16.30), by their names; that of headings has none. */
export class OdtListStyles {
  readonly #styles = new Map<string, ReadonlyMap<number, Level>>()

  constructor(...parts: readonly (readonly HtmlNode[])[]) {
    for (const style of parts.flatMap((nodes) => findAll(nodes, 'text:list-style', 'text:outline-style'))) {
      const levels = new Map(
        elementsIn(style)
          .filter(({ name }) => /level-style/.test(name))
          .map(readLevel),
      )
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

  /** The label of the next item of a level, from 1; `start` is a number that it begins anew with. */
  next(list: OdtList, at: number, start?: number): string | undefined {
    const levels = this.#styles.get(list.style)
    const level = levels?.get(at)
    if (!levels || !level) return levels ? undefined : '•'
    const before = list.counts[at]
    list.counts[at] = start ?? (before === undefined ? level.start : before + 1)
    list.counts.length = at + 1
    if (level.bullet !== undefined) return level.bullet
    if (level.format === undefined || (level.format === '' && !level.pattern))
      return `${level.prefix}${level.suffix}`.trim() || undefined
    const numberAt = (each: number) => {
      const { format, start: first = 1, bullet } = levels.get(each) ?? {}
      return bullet === undefined
        ? formatNumber(list.counts[each] ?? first, numberFormats[format ?? '1'] ?? 'decimal')
        : ''
    }
    if (level.pattern !== undefined) {
      return level.pattern.replace(/%(\d+)%/g, (_, each: string) => numberAt(Number(each))).trim() || undefined
    }
    const shown = Array.from({ length: Math.min(at, level.shown) }, (_, n) =>
      numberAt(at - Math.min(at, level.shown) + n + 1),
    )
    return `${level.prefix}${shown.filter((each) => each !== '').join('.')}${level.suffix}`.trim() || undefined
  }
}
