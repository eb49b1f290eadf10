import { PdfObjects } from './objects.ts'
import { readTables } from './tables.ts'
import { type Entries, referred } from './values.ts'

/** A PDF as PDFium and `PdfWriter` write it, to which more can be added: its last table is no stream, nothing is encrypted. */
export class WrittenPdf extends PdfObjects {
  /** Where its cross-reference table begins, and one more than the highest number of an object. */
  readonly start: number
  readonly size = Number(this.trailer.get('Size'))
  readonly root = referred(this.trailer.get('Root')) ?? 0
  /** What is said of it, where anything is. */
  readonly info = referred(this.trailer.get('Info'))

  private constructor(start: number, ...given: ConstructorParameters<typeof PdfObjects>) {
    super(...given)
    this.start = start
  }

  /** Undefined for a PDF that is not like that. */
  static read(pdf: Buffer): WrittenPdf | undefined {
    const end = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1', Math.max(0, pdf.length - 100)))
    const start = Number(end?.[1])
    const tables = end && pdf.toString('latin1', start, start + 4) === 'xref' ? readTables(pdf) : undefined
    if (!tables || tables.trailer.has('Encrypt')) return undefined
    const found = new WrittenPdf(start, pdf, tables.places, tables.trailer)
    return tables.places.has(found.root) && found.size > 0 ? found : undefined
  }

  entriesOf(number: number): Entries | undefined {
    return this.dictionary(`${number} 0 R`)
  }
}
