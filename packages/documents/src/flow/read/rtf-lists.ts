import { formatNumber, type NumberFormat } from '../number-format.ts'
import { type RtfFonts, rtfToken } from './rtf-fonts.ts'

/** By the numbers of `\levelnfc`. */
const formats: Readonly<Record<number, NumberFormat>> = {
  ...{ 1: 'upper-roman', 2: 'lower-roman', 3: 'upper-letter', 4: 'lower-letter', 5: 'ordinal', 22: 'zero' },
  ...{ 23: 'signs', 255: 'none' },
}
const bullet = 23
/** Characters of the tables of lists that are looked at. */
const maxTable = 5_000_000

interface Level {
  format: number
  start: number
  isLegal: boolean
  font: number
  /** Its label: characters below 9 stand for the numbers of levels. */
  label: string
}

interface Override {
  list: number
  starts: Map<number, number>
  levels: Map<number, Level>
}

/** The text of a group from its opening brace on. */
function groupFrom(rtf: string, opening: string): string {
  const start = rtf.indexOf(opening)
  if (start < 0) return ''
  const table = rtf.slice(start, start + maxTable)
  let depth = 0
  for (const { 0: sign, index } of table.matchAll(/\\[^]|[{}]/g)) {
    if (sign === '{') depth += 1
    else if (sign === '}' && --depth === 0) return table.slice(0, index)
  }
  return table
}

/** Reads one of the two tables word by word; `on` is told of each, and of what is written in `\leveltext`. */
function readTable(
  table: string,
  on: (word: string, number: number | undefined) => void,
  label: (text: string) => void,
) {
  let [text, depth, toSkip] = [undefined as string | undefined, 0, 0]
  const write = (letters: string) => {
    if (toSkip > 0) toSkip -= 1
    else if (text !== undefined) text += letters
  }
  for (const [, word, number, hex, , brace, plain = ''] of table.matchAll(rtfToken)) {
    if (word === 'leveltext') [text, depth] = ['', 0]
    else if (word === 'u' && text !== undefined) {
      write(String.fromCharCode((Number(number) + 65_536) % 65_536))
      toSkip = 1
    } else if (word !== undefined) on(word, number === undefined ? undefined : Number(number))
    else if (hex !== undefined) write(String.fromCharCode(Number.parseInt(hex, 16)))
    else if (brace === '{') depth += 1
    else if (brace === '}' && depth-- === 0 && text !== undefined) {
      label(text.slice(1, 1 + text.charCodeAt(0)))
      text = undefined
    } else for (let at = 0; at < plain.length; at++) write(plain[at]!)
  }
}

const newLevel = (): Level => ({ format: 0, start: 1, isLegal: false, font: -1, label: '' })

function setLevel(level: Level | undefined, word: string, number = 0): void {
  if (!level) return
  if (word === 'levelnfc' || word === 'levelnfcn') level.format = number
  else if (word === 'levelstartat') level.start = number
  else if (word === 'levellegal') level.isLegal = number !== 0 || word.length > 0
  else if (word === 'f') level.font = number
}

/** Counts the lists of a rich text document as it is read (RTF 1.9.1, List Tables). */
export class RtfLists {
  readonly #fonts: RtfFonts
  readonly #lists = new Map<number, Level[]>()
  readonly #overrides = new Map<number, Override>()
  readonly #counts = new Map<number, number[]>()

  constructor(rtf: string, fonts: RtfFonts) {
    this.#fonts = fonts
    let levels: Level[] = []
    const read = (word: string, number?: number) => {
      if (word === 'list') levels = []
      else if (word === 'listlevel') levels.push(newLevel())
      else if (word === 'listid') this.#lists.set(number ?? 0, levels)
      else setLevel(levels.at(-1), word, number)
    }
    readTable(groupFrom(rtf, '{\\*\\listtable'), read, (label) => Object.assign(levels.at(-1) ?? {}, { label }))
    this.#readOverrides(groupFrom(rtf, '{\\*\\listoverridetable'))
  }

  #readOverrides(table: string): void {
    let override: Override = { list: 0, starts: new Map(), levels: new Map() }
    let [at, isStart] = [-1, false]
    let level: Level | undefined
    const read = (word: string, number?: number) => {
      if (word === 'listoverride') {
        override = { list: 0, starts: new Map(), levels: new Map() }
        at = -1
      } else if (word === 'listid') override.list = number ?? 0
      else if (word === 'ls') this.#overrides.set(number ?? 0, override)
      else if (word === 'lfolevel') [at, isStart, level] = [at + 1, false, undefined]
      else if (word === 'listoverridestartat') isStart = true
      else if (word === 'listlevel') override.levels.set(at, (level = newLevel()))
      else {
        setLevel(level, word, number)
        if (word === 'levelstartat' && isStart) override.starts.set(at, number ?? 1)
      }
    }
    readTable(table, read, (label) => Object.assign(level ?? {}, { label }))
  }

  /** The label of the next paragraph of a list by the number of `\ls`; undefined where there is none to see. */
  next(ls: number, at: number): string | undefined {
    const override = this.#overrides.get(ls)
    const levels = override && this.#lists.get(override.list)?.map((each, depth) => override.levels.get(depth) ?? each)
    const level = levels?.[at]
    if (!level) return undefined
    const counts = this.#counts.get(override!.list) ?? []
    this.#counts.set(override!.list, counts)
    for (const [depth, start] of override!.starts) counts[depth] = start - 1
    override!.starts.clear()
    counts[at] = (counts[at] ?? level.start - 1) + 1
    counts.length = at + 1
    for (let upper = 0; upper < at; upper++) counts[upper] ??= levels[upper]!.start
    return this.#write(level, levels, counts)
  }

  #write({ format, label, font, isLegal }: Level, levels: readonly Level[], counts: readonly number[]) {
    const text = Array.from(label, (sign) => {
      const at = sign.charCodeAt(0)
      if (at > 8) return sign
      return formatNumber(counts[at] ?? 0, isLegal ? 'decimal' : (formats[levels[at]?.format ?? 0] ?? 'decimal'))
    }).join('')
    const signs = Array.from(text, (sign) => this.#fonts.read(sign.charCodeAt(0), font)).join('')
    return (format === bullet ? signs : text).trim() || undefined
  }
}
