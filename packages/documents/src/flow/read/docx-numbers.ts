import type { NumberFormat } from '../number-format.ts'
import { type ParagraphLook, readIndents, readRun, readTabs, valueOf, known } from './docx-styles.ts'
import type { HtmlElement } from './html-nodes.ts'
import { type ListLevel, type WordList, WordNumbers, withStarts } from './numbering.ts'
import { signOf } from './rtf-fonts.ts'
import { childOf, childrenOf, numberOf } from './xml.ts'

/** ECMA-376-1, 17.18.59. */
export const numberFormats: Readonly<Record<string, NumberFormat>> = {
  ...{ decimal: 'decimal', decimalZero: 'zero', lowerRoman: 'lower-roman', upperRoman: 'upper-roman' },
  ...{ lowerLetter: 'lower-letter', upperLetter: 'upper-letter', ordinal: 'ordinal', chicago: 'signs', none: 'none' },
}

/** Longer labels are not written by people. */
const maxLabel = 200

/** A `w:lvl`: its number, what it says, and the style whose paragraphs are of it. */
function readLevel(lvl: HtmlElement): [number, ListLevel & { style: string | undefined }] {
  const pPr = childOf(lvl, 'w:pPr')
  const format = valueOf(lvl, 'w:numFmt') ?? 'decimal'
  const text = (valueOf(lvl, 'w:lvlText') ?? '').slice(0, maxLabel)
  const bullet = format === 'bullet' ? [bulletOf(text, readRun(childOf(lvl, 'w:rPr')).font) ?? ''] : undefined
  return [
    numberOf(lvl.attribs['w:ilvl']) ?? 0,
    {
      start: numberOf(valueOf(lvl, 'w:start')) ?? 0,
      format: bullet ? 'none' : (numberFormats[format] ?? 'decimal'),
      label: bullet ?? text.split(/%([1-9])/).map((part, at) => (at % 2 === 1 ? Number(part) - 1 : part)),
      isLegal: childOf(lvl, 'w:isLgl') !== undefined,
      restart: numberOf(valueOf(lvl, 'w:lvlRestart')),
      look: { ...readIndents(pPr), ...known<ParagraphLook>({ tabs: readTabs(pPr) }) },
      style: valueOf(lvl, 'w:pStyle'),
    },
  ]
}

const levelsOf = (parent: HtmlElement | undefined) => new Map(childrenOf(parent, 'w:lvl').map(readLevel))

/** The lists of a Word document (ECMA-376-1, 17.9). */
export class DocxNumbers extends WordNumbers<string> {
  /** By list and style: the level that the paragraphs of the style have. */
  readonly #ofStyles = new Map<string, number>()

  constructor(root: HtmlElement | undefined, listOfStyle: (style: string) => string | undefined) {
    const named = (name: string, id: string) =>
      new Map(childrenOf(root, name).map((each) => [each.attribs[id] ?? '', each]))
    const [abstracts, nums] = [named('w:abstractNum', 'w:abstractNumId'), named('w:num', 'w:numId')]
    const abstractOf = (id: string | undefined, depth = 0): HtmlElement | undefined => {
      const abstract = abstracts.get(valueOf(nums.get(id ?? ''), 'w:abstractNumId') ?? '')
      const link = valueOf(abstract, 'w:numStyleLink')
      return link === undefined || depth > 5 ? abstract : (abstractOf(listOfStyle(link), depth + 1) ?? abstract)
    }
    const read = new Map<HtmlElement | undefined, ReturnType<typeof levelsOf>>()
    const lists = new Map<string, WordList>()
    const ofStyles: [string, number][] = []
    for (const [id, num] of nums) {
      const abstract = abstractOf(id)
      const overrides = childrenOf(num, 'w:lvlOverride')
      const starts = new Map(
        overrides.flatMap((each): [number, number][] => {
          const start = numberOf(valueOf(each, 'w:startOverride'))
          return start === undefined ? [] : [[numberOf(each.attribs['w:ilvl']) ?? 0, start]]
        }),
      )
      const shared = read.get(abstract) ?? levelsOf(abstract)
      read.set(abstract, shared)
      const levels = new Map([...shared, ...overrides.flatMap((each) => [...levelsOf(each)])])
      for (const [at, { style }] of levels) if (style !== undefined) ofStyles.push([`${id} ${style}`, at])
      const definition = abstract?.attribs['w:abstractNumId'] ?? ''
      lists.set(id, { definition, levels: withStarts(levels, starts), starts })
    }
    super(lists)
    this.#ofStyles = new Map(ofStyles.reverse())
  }

  /** The level that the paragraphs of a style have. */
  levelOf(id: string | undefined, style: string | undefined): number {
    return this.#ofStyles.get(`${id} ${style}`) ?? 0
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
