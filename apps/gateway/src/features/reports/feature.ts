import type { Report, ReportFigures, ReportSection } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { countFaxes } from './count-faxes.ts'
import { type Period, periodOf } from './period.ts'
import { priceHandlers } from './prices.ts'
import type { Readable } from 'node:stream'
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
const reportCsv = (report: Report, section: ReportSection): Promise<Readable> => tables[section](report)

/** A table that is downloaded soon after the report was shown has the same figures. */
const freshMs = 30_000
const maxFresh = 8

/** Counts one report at a time, however many are asked for; the same one is counted once. */
function createCounting(context: GatewayContext) {
  const fresh = new Map<string, { at: number; report: Promise<Report> }>()
  let last: Promise<unknown> = Promise.resolve()
  const start = (name: string, period: Period): Promise<Report> => {
    const report = last.then(() => countFaxes(context, period))
    last = report.catch(() => fresh.delete(name))
    return report
  }
  return {
    forget: () => fresh.clear(),
    count: (period: Period): Promise<Report> => {
      const name = JSON.stringify(period)
      const at = context.now().getTime()
      const known = fresh.get(name)
      if (known && at - known.at < freshMs) return known.report
      const report = start(name, period)
      fresh.delete(name)
      fresh.set(name, { at, report })
      for (const oldest of [...fresh.keys()].slice(0, -maxFresh)) fresh.delete(oldest)
      return report
    },
  }
}

/** Reports of what was sent and received, and what it cost. */
export function createReports(context: GatewayContext) {
  const { count, forget } = createCounting(context)
  const prices = priceHandlers(context)
  return {
    name: 'reports',
    routes: {
      ...prices,
      savePrice: async (call) => {
        const saved = await prices.savePrice(call)
        forget()
        return saved
      },
      removePrice: async (call) => {
        await prices.removePrice(call)
        forget()
      },
      getReport: ({ query }) => count(periodOf(query)),
      exportReport: async ({ query: { section, ...query } }) => {
        const report = await count(periodOf(query))
        const fileName = `report-${section}-${report.from}-${report.to}.csv`
        return { content: await reportCsv(report, section), fileName }
      },
    } satisfies Partial<Handlers>,
  } satisfies Feature
}
