import { formatNumber, type NumberFormat } from '../number-format.ts'
import { type ParagraphLook, readIndents, readRun, readTabs, valueOf, known } from './docx-styles.ts'
import type { HtmlElement } from './html-nodes.ts'
import { signOf } from './rtf-fonts.ts'
import { childOf, elementsIn, numberOf } from './xml.ts'

/** ECMA-376-1, 17.18.59. */
export const numberFormats: Readonly<Record<string, NumberFormat>> = {
  ...{ decimal: 'decimal', decimalZero: 'zero', lowerRoman: 'lower-roman', upperRoman: 'upper-roman' },
  ...{ lowerLetter: 'lower-letter', upperLetter: 'upper-letter', ordinal: 'ordinal', chicago: 'signs', none: 'none' },
}

/** Longer labels are not written by people. */
const maxLabel = 200

interface Level {
  start: number
  format: string
  text: string
  font: string | undefined
  isLegal: boolean
  /** The level whose numbers begin it anew; 0: none does. */
  restart: number | undefined
  look: ParagraphLook
  /** The style whose paragraphs are of this level. */
  style: string | undefined
}

interface List {
  abstract: string
  levels: ReadonlyMap<number, Level>
  /** By level: numbers that the list begins with when it is first met. */
  starts: ReadonlyMap<number, number>
}

function readLevel(lvl: HtmlElement): [number, Level] {
  const pPr = childOf(lvl, 'w:pPr')
  return [
    numberOf(lvl.attribs['w:ilvl']) ?? 0,
    {
      start: numberOf(valueOf(lvl, 'w:start')) ?? 0,
      format: valueOf(lvl, 'w:numFmt') ?? 'decimal',
      text: (valueOf(lvl, 'w:lvlText') ?? '').slice(0, maxLabel),
      font: readRun(childOf(lvl, 'w:rPr')).font,
      isLegal: childOf(lvl, 'w:isLgl') !== undefined,
      restart: numberOf(valueOf(lvl, 'w:lvlRestart')),
      style: valueOf(lvl, 'w:pStyle'),
      look: { ...readIndents(pPr), ...known<ParagraphLook>({ tabs: readTabs(pPr) }) },
    },
  ]
}

const levelsOf = (parent: HtmlElement | undefined) =>
  new Map(
    elementsIn(parent)
      .filter(({ name }) => name === 'w:lvl')
      .map(readLevel),
  )

/** Counts the lists of a Word document as it is read (ECMA-376-1, 17.9). */
export class DocxNumbers {
  readonly #lists = new Map<string, List>()
  readonly #counts = new Map<string, (number | undefined)[]>()
  readonly #met = new Set<string>()

  constructor(root: HtmlElement | undefined, listOfStyle: (style: string) => string | undefined) {
    const all = elementsIn(root)
    const abstracts = new Map(
      all.filter(({ name }) => name === 'w:abstractNum').map((each) => [each.attribs['w:abstractNumId'] ?? '', each]),
    )
    const nums = new Map(
      all.filter(({ name }) => name === 'w:num').map((each) => [each.attribs['w:numId'] ?? '', each]),
    )
    const abstractOf = (id: string | undefined, depth = 0): HtmlElement | undefined => {
      const abstract = abstracts.get(valueOf(nums.get(id ?? ''), 'w:abstractNumId') ?? '')
      const link = valueOf(abstract, 'w:numStyleLink')
      return link === undefined || depth > 5 ? abstract : (abstractOf(listOfStyle(link), depth + 1) ?? abstract)
    }
    const known = new Map<HtmlElement | undefined, ReadonlyMap<number, Level>>()
    for (const [id, num] of nums) {
      const abstract = abstractOf(id)
      const overrides = elementsIn(num).filter(({ name }) => name === 'w:lvlOverride')
      const starts = overrides.flatMap((each): [number, number][] => {
        const start = numberOf(valueOf(each, 'w:startOverride'))
        return start === undefined ? [] : [[numberOf(each.attribs['w:ilvl']) ?? 0, start]]
      })
      const shared = known.get(abstract) ?? levelsOf(abstract)
      known.set(abstract, shared)
      const levels = new Map([...shared, ...overrides.flatMap((each) => [...levelsOf(each)])])
      this.#lists.set(id, { abstract: abstract?.attribs['w:abstractNumId'] ?? '', levels, starts: new Map(starts) })
    }
  }

  /** How the paragraphs of a level stand. */
  lookOf(id: string, level: number): ParagraphLook {
    return this.#lists.get(id)?.levels.get(level)?.look ?? {}
  }

  /** The level that the paragraphs of a style have. */
  levelOf(id: string | undefined, style: string | undefined): number {
    const levels = [...(this.#lists.get(id ?? '')?.levels ?? [])]
    return levels.find(([, level]) => style !== undefined && level.style === style)?.[0] ?? 0
  }

  /** The label of the next paragraph of a list; undefined where there is none to see. */
  next(id: string, at: number): string | undefined {
    const list = this.#lists.get(id)
    const level = list?.levels.get(at)
    if (!list || !level) return undefined
    const counts: (number | undefined)[] = this.#counts.get(list.abstract) ?? []
    this.#counts.set(list.abstract, counts)
    if (!this.#met.has(id)) {
      this.#met.add(id)
      for (const [overridden, start] of list.starts) counts[overridden] = start - 1
    }
    counts[at] = (counts[at] ?? (list.starts.get(at) ?? level.start) - 1) + 1
    for (let deeper = at + 1; deeper < counts.length; deeper++) {
      const { restart } = list.levels.get(deeper) ?? {}
      if (restart === undefined || (restart > 0 && at < restart)) counts[deeper] = undefined
    }
    for (let upper = 0; upper < at; upper++) counts[upper] ??= list.levels.get(upper)?.start ?? 1
    return this.#write(level, list, counts)
  }

  #write(
    { format, text, font, isLegal }: Level,
    { levels }: List,
    counts: readonly (number | undefined)[],
  ): string | undefined {
    if (format === 'bullet') return bulletOf(text, font)
    const label = text.replace(/%([1-9])/g, (_, digit: string) => {
      const own = levels.get(Number(digit) - 1)
      const shown = numberFormats[own?.format ?? 'decimal'] ?? 'decimal'
      return own?.format === 'bullet'
        ? ''
        : formatNumber(counts[Number(digit) - 1] ?? 0, isLegal && shown !== 'none' ? 'decimal' : shown)
    })
    return label.trim() === '' ? undefined : label.trim()
  }
}

/** A bullet as a character that fonts have: those of fonts of signs have codes of their own. */
export function bulletOf(text: string, font = ''): string | undefined {
  const shown = Array.from(text, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    if (code >= 0xf000 && code < 0xf100) return signOf(font, code - 0xf000) ?? '•'
    return /^(symbol|wingdings)/i.test(font) && code < 256 ? (signOf(font, code) ?? sign) : sign
  }).join('')
  return shown.trim() === '' ? undefined : shown === 'o' ? '◦' : shown.normalize('NFKC')
}
