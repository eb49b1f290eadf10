import type { Report } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { countFaxes } from './count-faxes.ts'
import { reportCsv } from './csv.ts'
import { type Period, periodOf } from './period.ts'
import { priceHandlers } from './prices.ts'

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
