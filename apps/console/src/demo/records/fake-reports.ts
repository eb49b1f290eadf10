import { destinationOf, type Report, type ReportFigures } from '@faxdeck/contract'
import { type FakeCalls, Refusal } from '../fake-calls.ts'
import { instantOf, type World } from '../world.ts'

type Sent = World['jobs'][number]
type Section = Report['totals']

const dayMs = 86_400_000

const nearestRank = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? null

function costsOf(world: World, delivered: readonly Sent[]): ReportFigures['costs'] {
  const price = world.prices?.find(({ direction, per_page: page }) => direction === 'sent' && page !== null)
  if (!price) return []
  const pages = delivered.reduce((sum, { job }) => sum + (job.pages ?? 0), 0)
  return [{ currency: price.currency, amount: (pages * Number(price.per_page)).toFixed(2) }]
}

/** The figures of some sent faxes. In the demo the test line counts: there is nothing else. */
function figuresOf(world: World, faxes: readonly Sent[]): ReportFigures {
  const delivered = faxes.filter(({ job }) => job.status === 'SUCCESS')
  const failed = faxes.filter(({ job }) => job.status === 'FAILED')
  const cancelled = failed.filter(({ job }) => job.error_kind === 'cancelled')
  const times = delivered.map(({ job }) => (Date.parse(job.updated_at) - Date.parse(job.created_at)) / 1000)
  return {
    sent: faxes.length,
    delivered: delivered.length,
    failed: failed.length - cancelled.length,
    cancelled: cancelled.length,
    open: faxes.length - delivered.length - failed.length,
    pages: delivered.reduce((sum, { job }) => sum + (job.pages ?? 0), 0),
    median_seconds: nearestRank(times.map(Math.round), 0.5),
    p95_seconds: nearestRank(times.map(Math.round), 0.95),
    costs: costsOf(world, delivered),
    unpriced: 0,
    unknown_minutes: 0,
  }
}

function by<Key>(world: World, faxes: readonly Sent[], keyOf: (fax: Sent) => Key): [Key, ReportFigures][] {
  const groups = Map.groupBy(faxes, keyOf)
  return [...groups]
    .map(([key, group]): [Key, ReportFigures] => [key, figuresOf(world, group)])
    .toSorted(([, a], [, b]) => b.sent - a.sent)
}

function reportOf(world: World, { from, to, step = 'day', time_zone: zone = 'UTC', tests }: Asked): Report {
  const within = (at: string) => at.slice(0, 10) >= from && at.slice(0, 10) <= to
  const faxes = world.jobs.filter(({ job }) => within(job.created_at))
  const received = world.inbound.filter(({ received_at: at, status }) => status === 'received' && within(at))
  const both = (sent: readonly Sent[], arrived: typeof received): Section => ({
    ...figuresOf(world, sent),
    received: arrived.length,
    received_pages: arrived.reduce((sum, { pages }) => sum + (pages ?? 0), 0),
  })
  const begins = stepsOf({ from, to, step })
  const totals = both(faxes, received)
  return {
    ...{ from, to, step, time_zone: zone, tests: tests === 'true', totals },
    steps: begins.map((date, at) => {
      const isIn = (instant: string) => instant.slice(0, 10) >= date && instant.slice(0, 10) < (begins[at + 1] ?? '~')
      return {
        begins: date,
        ...both(
          faxes.filter(({ job }) => isIn(job.created_at)),
          received.filter(({ received_at: when }) => isIn(when)),
        ),
      }
    }),
    destinations: by(world, faxes, ({ to: number }) => destinationOf(number)).map(([prefix, all]) => ({
      prefix,
      ...all,
    })),
    numbers: by(world, faxes, ({ job }) => job.to_number).map(([number, { sent, delivered, failed }]) => {
      return { number, sent, delivered, failed }
    }),
    causes: by(
      world,
      faxes.filter(({ job }) => job.status === 'FAILED' && job.error_kind !== 'cancelled'),
      ({ job }) => job.error_kind,
    ).map(([kind, { failed }]) => ({ kind, failed })),
    senders: by(world, faxes, ({ job }) => job.key_id).map(([key_id, all]) => {
      const name = faxes.find(({ job }) => job.key_id === key_id)?.job.key_name ?? null
      return { key_id, name, ...all, received: 0, received_pages: 0 }
    }),
    groups: [...Map.groupBy(faxes, ({ job }) => job.group_id)].map(([group_id, sent]) => {
      const name = world.groups.find(({ id }) => id === group_id)?.name ?? null
      const arrived = received.filter((fax) => fax.group_id === group_id)
      return { group_id, name, ...both(sent, arrived) }
    }),
    providers: by(world, faxes, ({ job }) => job.backend).map(([backend, all]) => {
      return { backend, ...all, received: received.filter((fax) => fax.backend === backend).length, received_pages: 0 }
    }),
  }
}

interface Asked {
  from: string
  to: string
  step?: 'day' | 'week' | 'month' | undefined
  time_zone?: string | undefined
  tests?: 'true' | 'false' | undefined
}

/** The first days of the steps. */
function stepsOf({ from, to, step = 'day' }: Asked): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) days.push(new Date(at).toISOString().slice(0, 10))
  const isFirst = (day: string) =>
    step === 'day' || (step === 'week' ? new Date(day).getUTCDay() === 1 : day.endsWith('-01'))
  return days.filter((day, at) => at === 0 || isFirst(day))
}

const csvOf = ({ steps }: Report) => [
  'First day,Sent,Delivered,Failed',
  ...steps.map((row) => `${row.begins},${row.sent},${row.delivered},${row.failed}`),
]

/** What a provider of the demo charges. */
export function addPrices(world: World, backend = 'phaxio'): void {
  const terms = { backend, direction: 'sent', currency: 'USD', per_minute: null, per_call: null } as const
  const price = (valid_from: string, per_page: string) => {
    return { id: world.nextId(32), saved_at: instantOf(world.now()), ...terms, valid_from, per_page }
  }
  world.prices = [price('2026-07-01', '0.06'), price('2025-01-01', '0.07')]
}

export function reportCalls(world: World) {
  return {
    getReport: ({ query }) => {
      if (query.to < query.from) throw new Refusal('bad_request', 'The period ends before it begins.')
      return reportOf(world, query)
    },
    exportReport: ({ query }) => new TextEncoder().encode(`${csvOf(reportOf(world, query)).join('\r\n')}\r\n`),
    listPrices: () => world.prices ?? [],
    savePrice: ({ body }) => {
      const price = { id: world.nextId(32), saved_at: instantOf(world.now()), ...body }
      const isSame = (other: typeof price) =>
        other.backend === body.backend && other.direction === body.direction && other.valid_from === body.valid_from
      world.prices = [price, ...(world.prices ?? []).filter((other) => !isSame(other))]
      return price
    },
    removePrice: ({ params }) => {
      world.prices = world.prices?.filter(({ id }) => id !== params.id) ?? []
      return undefined
    },
  } satisfies FakeCalls
}
