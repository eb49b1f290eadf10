/** A stretch of text, or what stands in it. A tab is `\t`, a line break `\n`. */
export interface Run {
  text: string
  look?: 'bold' | 'raised' | 'hidden' | 'deleted' | 'inserted' | 'symbol'
  note?: { kind: 'footnote' | 'endnote'; text: string }
}

type Format = 'decimal' | 'lowerRoman' | 'upperRoman' | 'lowerLetter' | 'upperLetter' | 'bullet'

/** How a level of a list is numbered; `shown` counts the levels that its number names. */
export interface Level {
  format: Format
  before: string
  after: string
  shown: number
  start: number
}

export type Part =
  | { kind: 'text'; runs: Run[]; align: 'left' | 'center' | 'right' | 'both' }
  | { kind: 'item'; list: number; level: number; runs: Run[] }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'box'; text: string }
  | { kind: 'columns'; texts: string[] }

/** A letter that no program has written yet, and what is to be seen of it. */
export interface Letter {
  header: string
  /** Followed by "3 of 5". */
  footer: string
  /** Of the first page alone, in place of the others; blank where that has the others. */
  firstHeader: string
  lists: Level[][]
  parts: Part[]
  /** Words of the running text in their order, those of items behind their number. */
  body: string[]
  /** What stands somewhere on the pages as one. */
  apart: string[]
  /** Each number of a list, and the first word behind it. */
  numbers: [number: string, word: string][]
  /** Each mark of a note, between the word before it and the first of the note. */
  marks: [before: string, mark: string, first: string][]
  unseen: string[]
}

const syllables = 'ba ke du mo ra se to nu li ga ve po za hu ne ki da mu ro ta'.split(' ')
const accents = ['', '', '', '', '', 'é', 'ü', 'ß', 'ñ']
const patterns = [
  ['', '.'],
  ['', ')'],
  ['(', ')'],
  ['Art.', ':'],
] as const
const formats: readonly Format[] = ['decimal', 'lowerRoman', 'upperRoman', 'lowerLetter', 'upperLetter', 'bullet']

/** Dice that fall the same way each time (a linear congruential generator). */
export function diceOf(seed: number): (sides: number) => number {
  let state = seed * 7919 + 17
  return (sides) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * sides)
  }
}

const roman = (value: number): string => {
  const signs = 'm 1000 cm 900 d 500 cd 400 c 100 xc 90 l 50 xl 40 x 10 ix 9 v 5 iv 4 i 1'.split(' ')
  let [text, left] = ['', value]
  for (let at = 0; at < signs.length; at += 2) {
    for (; left >= Number(signs[at + 1]); left -= Number(signs[at + 1])) text += signs[at]!
  }
  return text
}
const letters = (value: number) => String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26))

export function numeral(format: Format, value: number): string {
  const small = format.endsWith('Roman') ? roman(value) : format.endsWith('Letter') ? letters(value) : `${value}`
  return format.startsWith('upper') ? small.toUpperCase() : small
}

class Writer {
  readonly letter: Letter = {
    ...{ header: '', footer: '', firstHeader: '', lists: [], parts: [], body: [], apart: [], numbers: [], marks: [] },
    unseen: [],
  }
  readonly #dice: (sides: number) => number
  #words = 0
  readonly #counts: number[][] = []
  readonly #notes = { footnote: 0, endnote: 0 }

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    const { letter } = this
    if (this.#dice(2)) letter.header = this.words(4)
    if (this.#dice(2)) letter.footer = this.words(2)
    if (this.#dice(4) === 0) letter.firstHeader = this.words(3)
    letter.apart.push(...[letter.firstHeader || letter.header].filter((words) => words !== ''))
  }

  /** Words that stand in no other place of the letter. */
  words(count: number): string {
    return Array.from({ length: count }, () => {
      const digits = (400 + this.#words++).toString(20)
      return Array.from(digits, (digit) => syllables[Number.parseInt(digit, 20)]).join('') + accents[this.#dice(9)]!
    }).join(' ')
  }

  #say(count: number): string {
    const text = this.words(count)
    this.letter.body.push(...text.split(' '))
    return text
  }

  /** Items have no deletions: LibreOffice shows those, and with them the numbers of before. */
  #runs(isItem = false): Run[] {
    const runs: Run[] = [{ text: this.#say(3 + this.#dice(25)) }]
    const kind = this.#dice(9)
    if (kind === 0) runs.push({ text: ' ' }, { text: this.#say(2), look: 'bold' })
    else if (kind === 1 || kind === 2) runs.push(this.#unseen(isItem || kind === 1 ? 'hidden' : 'deleted'))
    else if (kind === 3) runs.push({ text: ` ${this.#say(2)}`, look: 'inserted' })
    else if (kind === 4) runs.push({ text: `\t${this.#say(1)}\n${this.#say(1)}` })
    else if (kind === 5 || kind === 6) runs.push(this.#note(kind === 5 ? 'footnote' : 'endnote'))
    else if (kind === 7) {
      runs.push({ text: ' ' }, { text: 'a', look: 'symbol' })
      this.letter.body.push('α')
    }
    return runs.length === 1 ? runs : [...runs, { text: ` ${this.#say(2)}` }]
  }

  #unseen(look: 'hidden' | 'deleted'): Run {
    const text = this.words(2)
    this.letter.unseen.push(...text.split(' '))
    return { text: ` ${text}`, look }
  }

  #note(kind: 'footnote' | 'endnote'): Run {
    const text = this.words(5)
    const mark = numeral(kind === 'footnote' ? 'decimal' : 'lowerRoman', ++this.#notes[kind])
    this.letter.marks.push([this.letter.body.at(-1)!, mark, text.split(' ')[0]!])
    this.letter.apart.push(text)
    return { text: '', note: { kind, text } }
  }

  #list(): number {
    const level = (own: Format, depth: number): Level => {
      const [before, after] = own === 'bullet' ? ['', ''] : patterns[this.#dice(4)]!
      const shown = own === 'bullet' ? 1 : 1 + this.#dice(depth + 1)
      return { format: own, before, after, shown, start: this.#dice(4) ? 1 : 2 + this.#dice(8) }
    }
    const first = level(formats[this.#dice(6)]!, 0)
    const rest = [1, 2].map((depth) => level(first.format === 'bullet' ? 'bullet' : formats[this.#dice(5)]!, depth))
    this.#counts.push([])
    return this.letter.lists.push([first, ...rest]) - 1
  }

  #item(list: number, depth: number): void {
    const levels = this.letter.lists[list]!
    const counts = this.#counts[list]!
    counts.length = Math.min(counts.length, depth + 1)
    for (let at = 0; at < depth; at++) counts[at] ??= levels[at]!.start
    counts[depth] = counts[depth] === undefined ? levels[depth]!.start : counts[depth] + 1
    const { format, before, after, shown } = levels[depth]!
    const values = counts.slice(depth + 1 - shown).map((value, at) => {
      return numeral(levels[depth + 1 - shown + at]!.format, value)
    })
    const from = this.letter.body.length
    const runs = this.#runs(true)
    if (format !== 'bullet') this.letter.numbers.push([before + values.join('.') + after, this.letter.body[from]!])
    this.letter.parts.push({ kind: 'item', list, level: depth, runs })
  }

  #items(list: number): void {
    let depth = 0
    for (let left = 2 + this.#dice(5); left > 0; left--) {
      this.#item(list, depth)
      depth = Math.max(0, Math.min(2, depth + [1, 1, 0, -1, -2][this.#dice(5)]!))
    }
  }

  #text(align: 'left' | 'center' | 'right' | 'both' = 'left'): void {
    this.letter.parts.push({ kind: 'text', runs: this.#runs(), align })
  }

  /** A part of one of the kinds that letters have. */
  part(): void {
    const { parts, apart, lists } = this.letter
    const kind = this.#dice(10)
    if (kind < 2) this.#text((['center', 'right', 'both'] as const)[this.#dice(3)])
    else if (kind < 4) this.#items(this.#list())
    else if (kind === 4 && lists.length > 0) this.#items(this.#dice(lists.length))
    else if (kind === 5) {
      const columns = 2 + this.#dice(3)
      const row = () => Array.from({ length: columns }, () => this.#say(1))
      parts.push({ kind: 'table', rows: Array.from({ length: 2 + this.#dice(4) }, row) })
    } else if (kind === 6) {
      const text = this.words(3)
      apart.push(text)
      parts.push({ kind: 'box', text })
    } else if (kind === 7) {
      parts.push({ kind: 'columns', texts: Array.from({ length: 2 + this.#dice(3) }, () => this.#say(30)) })
    } else this.#text()
    // Between two lists, or two tables, there is always a line.
    this.#text()
  }
}

/** The letter of a number: each has other parts, of every kind that a reader of office documents meets. */
export function letterOf(seed: number): Letter {
  const writer = new Writer(seed)
  for (let parts = 3 + (seed % 5); parts > 0; parts--) writer.part()
  return writer.letter
}
