import type { Readable } from 'node:stream'
import type { Report, ReportFigures, ReportSection } from '@faxdeck/contract'
import { type Columns, csvStream } from '../../base/http/answers/csv.ts'

const sum = ({ costs }: ReportFigures) => costs.map(({ currency, amount }) => `${amount} ${currency}`).join('; ')

const figureColumns: Columns<ReportFigures> = {
  Sent: ({ sent }) => sent,
  Delivered: ({ delivered }) => delivered,
  Failed: ({ failed }) => failed,
  Canceled: ({ cancelled }) => cancelled,
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

const table = <Row>(rows: readonly Row[], columns: Columns<Row>) => csvStream(columns, [rows])

const others = 'All others'
/** A destination begins with a plus sign, which a spreadsheet would take for a formula: it is named without it. */
const prefixCell = (prefix: string | null) => prefix?.slice(1) ?? others

const tables: Readonly<Record<ReportSection, (report: Report) => Promise<Readable>>> = {
  steps: ({ steps, step }) => table(steps, { [`First day of the ${step}`]: ({ begins }) => begins, ...bothColumns }),
  destinations: ({ destinations }) =>
    table(destinations, { Destination: ({ prefix }) => prefixCell(prefix), ...figureColumns }),
  numbers: ({ numbers }) =>
    table(numbers, {
      Number: ({ number }) => number ?? others,
      Sent: ({ sent }) => sent,
      Delivered: ({ delivered }) => delivered,
      Failed: ({ failed }) => failed,
    }),
  causes: ({ causes }) => table(causes, { Cause: ({ kind }) => kind ?? '', Failed: ({ failed }) => failed }),
  senders: ({ senders }) => table(senders, { ID: ({ key_id: id }) => id, Name: ({ name }) => name, ...figureColumns }),
  groups: ({ groups }) => table(groups, { ID: ({ group_id: id }) => id, Name: ({ name }) => name, ...bothColumns }),
  providers: ({ providers }) => table(providers, { Provider: ({ backend }) => backend, ...bothColumns }),
}

/** One table of a report. */
export const reportCsv = (report: Report, section: ReportSection): Promise<Readable> => tables[section](report)
