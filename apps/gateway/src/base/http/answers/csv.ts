import type { Readable } from 'node:stream'
import { begunStream } from './begun-stream.ts'

type Cell = string | number | null

/** What stands in each column of a table, by its head. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** One cell (RFC 4180). A leading = + - @ would make a spreadsheet run the text as a formula; a quote before it does not. */
export function csvCell(value: Cell): string {
  const text = value === null ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

type Pages<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

async function* piecesOf<Row>(columns: Columns<Row>, pages: Pages<Row>): AsyncGenerator<string, void> {
  let head = csvLine(Object.keys(columns))
  for await (const rows of pages) {
    yield head + rows.map((row) => csvLine(Object.values(columns).map((column) => column(row)))).join('')
    head = ''
  }
  if (head !== '') yield head
}

/**
 * Rows as a table, read page by page as fast as the caller takes them.
 * @throws what keeps the first page from being read: nothing has been answered yet then
 */
export const csvStream = <Row>(columns: Columns<Row>, pages: Pages<Row>): Promise<Readable> =>
  begunStream(piecesOf(columns, pages))
