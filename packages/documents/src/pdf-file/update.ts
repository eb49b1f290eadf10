import { createHash } from 'node:crypto'

/** Objects put behind a file, with a cross-reference table of their own (ISO 32000-1, 7.5.6). */
export class PdfUpdate {
  readonly #parts: Buffer[]
  readonly #offsets = new Map<number, number>()
  #length: number
  #next: number

  /** @param size one more than the highest number of an object */
  constructor(pdf: Buffer, size: number) {
    this.#parts = [pdf]
    this.#length = pdf.length
    this.#next = size
  }

  reserve(): number {
    return this.#next++
  }

  /** Writes an object: its dictionary entries without the brackets, and a stream if there is one. Returns its number. */
  add(entries: string, stream?: Buffer, number = this.reserve()): number {
    this.#offsets.set(number, this.#length)
    if (stream) {
      this.#push(Buffer.from(`${number} 0 obj\n<<${entries}/Length ${stream.length}>>stream\n`, 'latin1'))
      this.#push(stream)
      this.#push(Buffer.from('\nendstream\nendobj\n', 'latin1'))
    } else this.#push(Buffer.from(`${number} 0 obj\n<<${entries}>>\nendobj\n`, 'latin1'))
    return number
  }

  /** The whole file. @param before where the cross-reference table of the file begins */
  finish(root: number, before: number): Buffer {
    const start = this.#length
    const sections = [...this.#offsets]
      .toSorted(([a], [b]) => a - b)
      .map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`)
    const id = createHash('sha256').update(Buffer.concat(this.#parts)).digest('hex').slice(0, 32)
    const trailer = `<</Size ${this.#next}/Root ${root} 0 R/Prev ${before}/ID[<${id}><${id}>]>>`
    this.#push(Buffer.from(`xref\n${sections.join('')}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`, 'latin1'))
    return Buffer.concat(this.#parts)
  }

  #push(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.#length += bytes.length
  }
}
