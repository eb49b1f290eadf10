const header = Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')

/** Object numbers of the two objects every file has. */
const catalog = 1
const pageTree = 2

/** Writes a PDF 1.4 file (ISO 32000-1): objects in any order, then pages, catalog and cross-reference table. */
export class PdfWriter {
  #parts: Uint8Array[] = [header]
  #length = header.length
  #offsets: number[] = [0, 0, 0]
  #pages: number[] = []

  /** A number for an object that is written later. */
  reserve(): number {
    this.#offsets.push(0)
    return this.#offsets.length - 1
  }

  /** Writes an object: its dictionary entries without the brackets, and a stream if there is one. Returns its number. */
  add(entries: string, stream?: Uint8Array, number = this.reserve()): number {
    this.#offsets[number] = this.#length
    if (stream) {
      this.#push(Buffer.from(`${number} 0 obj\n<<${entries}/Length ${stream.length}>>stream\n`, 'latin1'))
      this.#push(stream)
      this.#push(streamEnd)
    } else {
      this.#push(Buffer.from(`${number} 0 obj\n<<${entries}>>\nendobj\n`, 'latin1'))
    }
    return number
  }

  /**
   * Adds a page of `width` × `height` points with its resources (dictionary entries) and its content stream, turned to
   * the right by so many quarters when it is shown.
   */
  addPage(
    width: number,
    height: number,
    resources: string,
    content: Uint8Array,
    { contentEntries = '', turns = 0 }: { contentEntries?: string; turns?: number } = {},
  ): void {
    const contents = this.add(contentEntries, content)
    this.#pages.push(
      this.add(
        `/Type/Page/Parent ${pageTree} 0 R/MediaBox[0 0 ${decimal(width)} ${decimal(height)}]${turns === 0 ? '' : `/Rotate ${90 * turns}`}` +
          `/Resources<<${resources}>>/Contents ${contents} 0 R`,
      ),
    )
  }

  /** The whole file. */
  finish(): Uint8Array {
    const kids = this.#pages.map((page) => `${page} 0 R`).join(' ')
    this.add(`/Type/Pages/Kids[${kids}]/Count ${this.#pages.length}`, undefined, pageTree)
    this.add(`/Type/Catalog/Pages ${pageTree} 0 R`, undefined, catalog)
    const start = this.#length
    const entries = this.#offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const size = this.#offsets.length
    this.#push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}` +
          `trailer\n<</Size ${size}/Root ${catalog} 0 R>>\nstartxref\n${start}\n%%EOF\n`,
        'latin1',
      ),
    )
    return Buffer.concat(this.#parts, this.#length)
  }

  #push(bytes: Uint8Array): void {
    this.#parts.push(bytes)
    this.#length += bytes.length
  }
}

const streamEnd = Buffer.from('\nendstream\nendobj\n', 'latin1')

/** A number as PDF writes it: no exponent, at most four decimals. */
export function decimal(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, '')
}
