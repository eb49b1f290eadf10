const header = Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')

/** Object numbers of the two objects every file has. */
const catalog = 1
const pageTree = 2

/** Writes the objects of a PDF file (ISO 32000-1, 7.3.10) and remembers where each begins. */
export abstract class ObjectWriter {
  readonly #parts: Uint8Array[]
  #length: number
  #next: number
  readonly #offsets = new Map<number, number>()

  /** @param start what the file begins with @param next the number of the first object */
  constructor(start: Uint8Array, next: number) {
    this.#parts = [start]
    this.#length = start.length
    this.#next = next
  }

  /** A number for an object that is written later. */
  reserve(): number {
    return this.#next++
  }

  /** Writes an object: its dictionary entries without the brackets, and a stream if there is one. Returns its number. */
  add(entries: string, stream?: Uint8Array, number = this.reserve()): number {
    this.#offsets.set(number, this.#length)
    if (stream) this.#push(`${number} 0 obj\n<<${entries}/Length ${stream.length}>>stream\n`, stream, streamEnd)
    else this.#push(`${number} 0 obj\n<<${entries}>>\nendobj\n`)
    return number
  }

  /** The bytes so far. */
  protected get written(): Buffer {
    return Buffer.concat(this.#parts, this.#length)
  }

  /** Ends the file with a cross-reference table and a trailer (7.5.4). */
  protected end(entries: string): Buffer {
    const start = this.#length
    const rows = [...this.#offsets].toSorted(([a], [b]) => a - b)
    const isWhole = rows.length === this.#next - 1
    const place = ([, offset]: [number, number]) => `${String(offset).padStart(10, '0')} 00000 n \n`
    const table = isWhole
      ? `0 ${this.#next}\n0000000000 65535 f \n${rows.map(place).join('')}`
      : rows.map((row) => `${row[0]} 1\n${place(row)}`).join('')
    this.#push(`xref\n${table}trailer\n<</Size ${this.#next}${entries}>>\nstartxref\n${start}\n%%EOF\n`)
    return this.written
  }

  #push(...parts: (string | Uint8Array)[]): void {
    for (const part of parts) {
      const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
      this.#parts.push(bytes)
      this.#length += bytes.length
    }
  }
}

const streamEnd = Buffer.from('\nendstream\nendobj\n', 'latin1')

/** Writes a PDF 1.4 file (ISO 32000-1): objects in any order, then pages, catalog and cross-reference table. */
export class PdfWriter extends ObjectWriter {
  readonly #pages: number[] = []

  constructor() {
    super(header, 3)
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
    return this.end(`/Root ${catalog} 0 R`)
  }
}

/** A number as PDF writes it: no exponent, at most four decimals. */
export function decimal(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, '')
}

/** An image as a PDF stream holds it. */
export interface PdfImage {
  width: number
  height: number
  /** Dictionary entries: color space, bits, filter. */
  entries: string
  data: Uint8Array
}

/** Writes an image and returns its object number. */
export function addImage(pdf: PdfWriter, { width, height, entries, data }: PdfImage): number {
  return pdf.add(`/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${entries}`, data)
}

/** A content stream that draws the image `I` with a transformation matrix. */
export function drawImage(matrix: readonly number[]): Buffer {
  return Buffer.from(`q ${matrix.map(decimal).join(' ')} cm /I Do Q`, 'latin1')
}
