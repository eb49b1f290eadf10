import { createHash } from 'node:crypto'
import { csvLine } from '../../base/http/answers/csv.ts'

const kinds = ['sent', 'received', 'requests', 'uploads', 'documents', 'trail_entries', 'webhook_deliveries'] as const
export type Counted = (typeof kinds)[number]

/** A file of an export, in memory. */
export interface RecordFile {
  path: string
  content: Buffer
  at: Date
}

/** A document that should be there and is not. */
interface Absent {
  path: string
  why: 'deleted' | 'missing' | 'undrawable'
}

export interface Line {
  direction: 'sent' | 'received'
  id: string
  from: string | null
  to: string | null
  status: string
  pages: number | null
  at: string
  document: string
  /** Who sent it; empty for a received fax. */
  by: string
  /** Why it was no fax of anybody's; absent for a real one. */
  test?: 'not sent' | 'made here'
}

const faxColumns = [
  'Direction',
  'Fax ID',
  'From',
  'To',
  'Status',
  'Pages',
  'Sent or received',
  'Local time',
  'Sent by',
  'Document',
  'Test',
]

/** Keeps count of what goes into an export, for its manifest. */
export class Ledger {
  readonly counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Counted, number>
  readonly files: { path: string; bytes: number; sha256: string }[] = []
  readonly absent: Absent[] = []
  /** The faxes, sent and received, by their ids. */
  readonly faxes = new Set<string>()
  readonly requests = new Set<string>()
  /** Received faxes whose number ends alike, and that were left out because it is another. */
  leftOut = 0
  readonly lines: Line[] = []
  readonly #inWords: (at: string) => string

  /** @param inWords an instant as people read it */
  constructor(inWords: (at: string) => string) {
    this.#inWords = inWords
  }

  note({ path, content }: RecordFile): void {
    this.files.push({ path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
  }

  addFax(line: Line): void {
    this.faxes.add(line.id)
    this.counts[line.direction] += 1
    this.lines.push(line)
  }

  /** The faxes as a table (RFC 4180). */
  faxesCsv(): Buffer {
    const rows = this.lines.map(({ direction, id, from, to, status, pages, at, by, document, test }) => {
      const isTest = test === undefined ? 'no' : `yes: ${test}`
      return csvLine([direction, id, from, to, status, pages, at, this.#inWords(at), by, document, isTest])
    })
    return Buffer.from(csvLine(faxColumns) + rows.join(''))
  }

  /** Every file so far as a table. */
  filesCsv(): Buffer {
    const lines = this.files.map(({ path, bytes, sha256 }) => csvLine([path, bytes, sha256]))
    return Buffer.from(csvLine(['File', 'Bytes', 'SHA-256']) + lines.join(''))
  }
}
