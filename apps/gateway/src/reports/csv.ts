import { Readable } from 'node:stream'
import type { Report, ReportFigures, ReportSection } from '@faxdeck/contract'
import { csvCell } from '../faxes/read/export.ts'

type Cell = string | number | null
type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

const sum = ({ costs }: ReportFigures) => costs.map(({ currency, amount }) => `${amount} ${currency}`).join('; ')

const figureColumns: Columns<ReportFigures> = {
  Sent: ({ sent }) => sent,
  Delivered: ({ delivered }) => delivered,
  Failed: ({ failed }) => failed,
  Cancelled: ({ cancelled }) => cancelled,
  Open: ({ open }) => open,
  'Pages delivered': ({ pages }) => pages,
  'Median seconds': ({ median_seconds: seconds }) => seconds,
  '95th percentile seconds': ({ p95_seconds: seconds }) => seconds,
  Cost: sum,
  'Attempts without a price': ({ unpriced }) => unpriced,
  'Attempts of unknown length': ({ unknown_minutes: unknown }) => unknown,
}

const receivedColumns: Columns<Pick<Report['totals'], 'received' | 'received_pages'>> = {
  Received: ({ received }) => received,
  'Pages received': ({ received_pages: pages }) => pages,
}

const bothColumns: Columns<Report['totals']> = { ...figureColumns, ...receivedColumns }

function linesOf<Row>(rows: readonly Row[], columns: Columns<Row>): string[] {
  const cells = rows.map((row) => Object.values(columns).map((column) => column(row)))
  return [Object.keys(columns), ...cells].map((line) => `${line.map(csvCell).join(',')}\r\n`)
}

const others = 'All others'
/** A destination begins with a plus sign, which a spreadsheet would take for a formula: it is named without it. */
const prefixCell = (prefix: string | null) => prefix?.slice(1) ?? others

const tables: Readonly<Record<ReportSection, (report: Report) => string[]>> = {
  steps: ({ steps, step }) => linesOf(steps, { [`First day of the ${step}`]: ({ begins }) => begins, ...bothColumns }),
  destinations: ({ destinations }) =>
    linesOf(destinations, { Destination: ({ prefix }) => prefixCell(prefix), ...figureColumns }),
  numbers: ({ numbers }) =>
    linesOf(numbers, {
      Number: ({ number }) => number ?? others,
      Sent: ({ sent }) => sent,
      Delivered: ({ delivered }) => delivered,
      Failed: ({ failed }) => failed,
    }),
  causes: ({ causes }) => linesOf(causes, { Cause: ({ kind }) => kind ?? '', Failed: ({ failed }) => failed }),
  senders: ({ senders }) =>
    linesOf(senders, { ID: ({ key_id: id }) => id, Name: ({ name }) => name, ...figureColumns }),
  groups: ({ groups }) => linesOf(groups, { ID: ({ group_id: id }) => id, Name: ({ name }) => name, ...bothColumns }),
  providers: ({ providers }) => linesOf(providers, { Provider: ({ backend }) => backend, ...bothColumns }),
}

/** One table of a report (RFC 4180). */
export const reportCsv = (report: Report, section: ReportSection): Readable => Readable.from(tables[section](report))
