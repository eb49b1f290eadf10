/** A line that is being typed. */
export interface Line {
  text: string
  /** Where the next character goes. */
  at: number
}

export const emptyLine: Line = { text: '', at: 0 }

const escape = '\x1b'
const parts = new RegExp(`${escape}\\[200~([\\s\\S]*?)${escape}\\[201~|${escape}[[O][0-9;]*[A-Za-z~]|[\\s\\S]`, 'gu')
/** One column each; others would be counted wrongly, and no command needs them. */
const unfit = /[^\x20-\x7e\u00a1-\u024f]/g

/**
 * Takes apart what a terminal sends: keys as the usual mode writes them ("\x1b[A"), and text. Line breaks of pasted text
 * become blanks, so that nothing runs by itself.
 */
export function readKeys(data: string): string[] {
  return [...data.matchAll(parts)].flatMap(([whole, pasted]) => {
    if (pasted === undefined && (whole < ' ' || whole === '\x7f')) return whole.replace(`${escape}O`, `${escape}[`)
    return (pasted?.replace(/\s+/g, ' ') ?? whole).replace(unfit, '') || []
  })
}

export const insert = ({ text, at }: Line, added: string): Line => ({
  text: text.slice(0, at) + added + text.slice(at),
  at: at + added.length,
})

/** The line without what stands between two places. */
const cut = ({ text }: Line, from: number, to: number): Line => ({
  text: text.slice(0, from) + text.slice(to),
  at: from,
})
const home = ({ text }: Line): Line => ({ text, at: 0 })
const end = ({ text }: Line): Line => ({ text, at: text.length })
const backspace = (line: Line) => cut(line, Math.max(0, line.at - 1), line.at)

/** What keys do to the line: those of Emacs, as in every shell. */
export const edits: Readonly<Record<string, (line: Line) => Line>> = {
  '\x7f': backspace,
  '\b': backspace,
  '\x1b[3~': (line) => cut(line, line.at, line.at + 1),
  '\x1b[C': ({ text, at }) => ({ text, at: Math.min(text.length, at + 1) }),
  '\x1b[D': ({ text, at }) => ({ text, at: Math.max(0, at - 1) }),
  '\x1b[H': home,
  '\x01': home,
  '\x1b[F': end,
  '\x05': end,
  '\x0b': (line) => cut(line, line.at, line.text.length),
  '\x15': (line) => cut(line, 0, line.at),
  '\x17': (line) => cut(line, line.text.slice(0, line.at).replace(/\S*\s*$/, '').length, line.at),
}

/** What all texts begin with. */
function sharedStart([first = '', ...others]: readonly string[]): string {
  let length = first.length
  for (const text of others) while (!text.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

/**
 * The line with the word before the cursor completed as far as that is plain.
 * @param known what may stand in each place: the commands, and then what a command takes
 * @returns the line, and what the word could become when that is not plain
 */
export function complete(line: Line, known: (words: readonly string[]) => readonly string[]) {
  const words = line.text.slice(0, line.at).split(/\s+/)
  const word = words.at(-1) ?? ''
  const choices = known(words).filter((each) => each.startsWith(word))
  const shared = sharedStart(choices)
  if (choices.length === 0) return { line, choices }
  const added = shared.slice(word.length) + (choices.length === 1 ? ' ' : '')
  return { line: insert(line, added), choices: shared === word ? choices : [] }
}

/** Where a shell writes: a terminal, or what stands in for one. */
export interface Output {
  write: (text: string) => void
  clear: () => void
  /** Characters in a row. */
  columns: () => number
}

/** Keeps a line that is being typed on the screen, over as many rows as it takes. */
export class LinePainter {
  readonly #output: Output
  readonly #prompt: string
  #shown = emptyLine

  constructor(output: Output, prompt: string) {
    this.#output = output
    this.#prompt = prompt
  }

  /** Shows a fresh prompt with a line behind it. */
  begin(line: Line): void {
    this.#output.write(this.#head())
    this.#shown = emptyLine
    this.show(line)
  }

  /** Shows the line in place of the one before. What is only typed on is only added: screen readers read it once. */
  show(line: Line): void {
    const { text, at } = this.#shown
    const isAppended = at === text.length && line.at === line.text.length && line.text.startsWith(text)
    this.#shown = line
    const [start, last] = [this.#placeOf(at), this.#placeOf(line.text.length)]
    // A full row leaves the cursor on its last column; it belongs into the next row.
    const wrap = line.text && last.column === 0 ? '\r\n' : ''
    if (isAppended) this.#output.write(line.text.slice(text.length) + wrap)
    else this.#output.write(`${move(start.row, 'A')}\r${escape}[J${this.#head()}${line.text}${wrap}`)
    if (line.at === line.text.length) return
    const wanted = this.#placeOf(line.at)
    this.#output.write(`${move(last.row - wanted.row, 'A')}\r${move(wanted.column, 'C')}`)
  }

  /** Goes below the line, which stays. */
  leave(line: Line): void {
    this.show(end(line))
    this.#output.write('\r\n')
  }

  #head(): string {
    return `${escape}[36m${this.#prompt}${escape}[0m`
  }

  #placeOf(at: number): { row: number; column: number } {
    const columns = this.#output.columns()
    const behind = this.#prompt.length + at
    return { row: Math.floor(behind / columns), column: behind % columns }
  }
}

/** Moves the cursor up (A) or to the right (C); by nothing, not at all. */
const move = (count: number, way: 'A' | 'C') => (count > 0 ? `${escape}[${count}${way}` : '')
