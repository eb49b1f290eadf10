import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Text and how it looks on a terminal. */
export interface Painted {
  text: string
  style?: Style | undefined
}
export type Cell = string | Painted

/** Text from outside, unable to move the cursor or to change the terminal. Line breaks become spaces. */
export function printable(text: string): string {
  return text.replace(/\s*[\r\n\t]+\s*/g, ' ').replace(/\p{Cc}/gu, '\uFFFD')
}

/** What a command says: its answer on standard output, everything else on standard error. */
export class Output {
  readonly json: boolean
  readonly #answers = process.stdout
  readonly #notes = process.stderr
  #passing = false

  constructor(json: boolean) {
    this.json = json
  }

  /** The answer: as JSON under --json, otherwise as the lines that `show` prints. */
  answer(value: unknown, show: () => void): void {
    this.#clear()
    if (this.json) this.#answers.write(`${JSON.stringify(value)}\n`)
    else show()
  }

  /** A line of the answer for people. */
  line(...cells: Cell[]): void {
    this.#clear()
    this.#answers.write(`${cells.map((cell) => this.#paint(cell)).join('')}\n`)
  }

  /** Bytes or a document, exactly as they are. */
  raw(content: string | Uint8Array): void {
    this.#clear()
    this.#answers.write(content)
  }

  /** Something beside the answer. Silent under --json, where only errors are said. */
  note(text: string): void {
    if (this.json) return
    this.#clear()
    this.#notes.write(`${printable(text)}\n`)
  }

  /** A line that the next one replaces; only on a terminal. */
  progress(text: string): void {
    if (this.json || !this.#notes.isTTY) return
    this.#notes.write(`\r\u001b[K${printable(text).slice(0, (this.#notes.columns || 80) - 1)}`)
    this.#passing = true
  }

  /** Rows in columns, under a heading. */
  table(heading: readonly string[], rows: readonly (readonly Cell[])[]): void {
    const all: Cell[][] = [heading.map((text) => ({ text, style: 'dim' })), ...rows.map((row) => [...row])]
    const widths = heading.map((_, column) => Math.max(...all.map((row) => textOf(row[column] ?? '').length)))
    for (const row of all) {
      const cells = row.map((cell, column) => {
        const gap = ' '.repeat((widths[column] ?? 0) - textOf(cell).length + 2)
        return this.#paint(cell) + (column === row.length - 1 ? '' : gap)
      })
      this.#clear()
      this.#answers.write(`${cells.join('').trimEnd()}\n`)
    }
  }

  #paint(cell: Cell): string {
    const text = textOf(cell)
    // NO_COLOR and whether there is a terminal are looked at by styleText itself.
    return typeof cell === 'string' || !cell.style ? text : styleText(cell.style, text, { stream: this.#answers })
  }

  #clear(): void {
    if (this.#passing) this.#notes.write('\r\u001b[K')
    this.#passing = false
  }
}

const textOf = (cell: Cell) => printable(typeof cell === 'string' ? cell : cell.text)
