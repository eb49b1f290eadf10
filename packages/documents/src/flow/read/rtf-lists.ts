import type { NumberFormat } from '../number-format.ts'
import { type ListLevel, type WordList, WordNumbers, withStarts } from './numbering.ts'
import { type RtfFonts, rtfToken } from './rtf-fonts.ts'

/** By the numbers of `\levelnfc`. */
const formats: Readonly<Record<number, NumberFormat>> = {
  ...{ 1: 'upper-roman', 2: 'lower-roman', 3: 'upper-letter', 4: 'lower-letter', 5: 'ordinal', 22: 'zero' },
  ...{ 255: 'none' },
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

const newOverride = (): Override => ({ list: 0, starts: new Map(), levels: new Map() })

/** What the two tables of lists say, word by word (RTF 1.9.1, List Tables). */
class ListTables {
  readonly lists = new Map<number, Level[]>()
  readonly overrides = new Map<number, Override>()
  #levels: Level[] = []
  #override: Override | undefined
  #level: Level | undefined
  #depth = -1
  #setsStart = false

  read(table: string): void {
    /** The label that is read, and the braces that are open in it. */
    let [label, braces, toSkip] = [undefined as string | undefined, 0, 0]
    const write = (letters: string) => {
      if (toSkip > 0) toSkip -= 1
      else if (label !== undefined) label += letters
    }
    for (const [, word, number, hex, , brace, plain = ''] of table.matchAll(rtfToken)) {
      if (word === 'leveltext') [label, braces] = ['', 0]
      else if (word === 'u' && label !== undefined) {
        write(String.fromCharCode((Number(number) + 65_536) % 65_536))
        toSkip = 1
      } else if (word !== undefined) this.#word(word, Number(number ?? 1))
      else if (hex !== undefined) write(String.fromCharCode(Number.parseInt(hex, 16)))
      else if (brace === '{') braces += 1
      else if (brace === '}' && braces-- === 0 && label !== undefined) {
        // Its first character is its length.
        if (this.#level) this.#level.label = label.slice(1, 1 + label.charCodeAt(0))
        label = undefined
      } else for (let at = 0; at < plain.length; at++) write(plain[at]!)
    }
  }

  #word(word: string, number: number): void {
    const [override, level] = [this.#override, this.#level]
    if (word === 'list') this.#levels = []
    else if (word === 'listlevel') {
      this.#level = { format: 0, start: 1, isLegal: false, font: -1, label: '' }
      if (override) override.levels.set(this.#depth, this.#level)
      else this.#levels.push(this.#level)
    } else if (word === 'listid' && override) override.list = number
    else if (word === 'listid') this.lists.set(number, this.#levels)
    else if (word === 'listoverride') [this.#override, this.#depth, this.#level] = [newOverride(), -1, undefined]
    else if (word === 'lfolevel') [this.#depth, this.#setsStart, this.#level] = [this.#depth + 1, false, undefined]
    else if (word === 'listoverridestartat') this.#setsStart = true
    else if (word === 'ls' && override) this.overrides.set(number, override)
    else if (word === 'levelstartat' && override && this.#setsStart) override.starts.set(this.#depth, number)
    else if (word === 'levelstartat' && level) level.start = number
    else if (word === 'levelnfc' && level) level.format = number
    else if (word === 'levellegal' && level) level.isLegal = number !== 0
    else if (word === 'f' && level) level.font = number
  }
}

function levelOf({ format, start, isLegal, font, label }: Level, fonts: RtfFonts): ListLevel {
  const isBullet = format === bullet
  const parts = Array.from(label, (sign) => {
    const code = sign.charCodeAt(0)
    if (code <= 8) return code
    // A sign of a font that is not known is some bullet.
    return isBullet ? fonts.read(code, font).replace(/[\uf000-\uf0ff]/g, '•') : sign
  })
  return { start, isLegal, label: parts, format: isBullet ? 'none' : (formats[format] ?? 'decimal'), look: {} }
}

/** The lists of a rich text document, by the numbers of `\ls`. */
export function rtfNumbers(rtf: string, fonts: RtfFonts): WordNumbers<number> {
  const tables = new ListTables()
  for (const name of ['listtable', 'listoverridetable']) tables.read(groupFrom(rtf, `{\\*\\${name}`))
  const lists = Array.from(tables.overrides, ([ls, { list, starts, levels }]): [number, WordList] => {
    const own = (tables.lists.get(list) ?? []).map((each, at) => levelOf(levels.get(at) ?? each, fonts))
    return [ls, { definition: list, levels: withStarts(new Map(own.entries()), starts), starts }]
  })
  return new WordNumbers(new Map(lists))
}
