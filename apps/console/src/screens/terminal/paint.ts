import type { Line } from './line-editor.ts'

/** Where a shell writes: a terminal, or what stands in for one. */
export interface Output {
  write: (text: string) => void
  clear: () => void
  /** Characters in a row. */
  columns: () => number
}

/** Text without anything that could steer a terminal: what the gateway returns may hold text that others wrote. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
}

const escape = '\x1b'
export function paint(text: string, tone?: 'bad'): string {
  return tone ? `${escape}[31m${text}${escape}[0m` : text
}

/** Keeps a line that is being typed on the screen, over as many rows as it takes. */
export class LinePainter {
  readonly #output: Output
  readonly #prompt: string
  #shown: Line = { text: '', at: 0 }

  constructor(output: Output, prompt: string) {
    this.#output = output
    this.#prompt = prompt
  }

  /** Shows a fresh prompt with a line behind it. */
  begin(line: Line): void {
    this.#output.write(`${escape}[36m${this.#prompt}${escape}[0m`)
    this.#shown = { text: '', at: 0 }
    this.show(line)
  }

  /** Shows the line in place of the one before. */
  show(line: Line): void {
    const { text, at } = this.#shown
    const isAppended = at === text.length && line.at === line.text.length && line.text.startsWith(text)
    this.#shown = line
    if (isAppended) {
      this.#output.write(line.text.slice(text.length) + this.#wrap(line.text))
      return
    }
    const start = this.#placeOf(at)
    const up = start.row > 0 ? `${escape}[${start.row}A` : ''
    const head = `${escape}[36m${this.#prompt}${escape}[0m`
    this.#output.write(`${up}\r${escape}[J${head}${line.text}${this.#wrap(line.text)}${this.#back(line)}`)
  }

  /** Goes below the line, which stays. */
  leave({ text }: Line): void {
    this.show({ text, at: text.length })
    this.#output.write('\r\n')
  }

  #placeOf(at: number): { row: number; column: number } {
    const columns = this.#output.columns()
    const behind = this.#prompt.length + at
    return { row: Math.floor(behind / columns), column: behind % columns }
  }

  /** A full row leaves the cursor on its last column; it belongs into the next row. */
  #wrap(text: string): string {
    return text && this.#placeOf(text.length).column === 0 ? '\r\n' : ''
  }

  /** From the end of the line to its cursor. */
  #back({ text, at }: Line): string {
    if (at === text.length) return ''
    const [end, wanted] = [this.#placeOf(text.length), this.#placeOf(at)]
    const up = end.row > wanted.row ? `${escape}[${end.row - wanted.row}A` : ''
    const right = wanted.column > 0 ? `${escape}[${wanted.column}C` : ''
    return `${up}\r${right}`
  }
}
