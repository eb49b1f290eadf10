import type { FailureKind, Report } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import type { GatewayContext } from '../../base/context.ts'
import type { Database } from '../../base/db/database.ts'
import type { PriceRow } from '../../base/db/tables/reports.ts'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { newJob } from '../../testing/fax-desk.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { testContext } from '../../testing/test-context.ts'
import { countFaxes } from './count-faxes.ts'
import { periodOf } from './period.ts'

/** Numbers that look random and are the same each time (Lehmer). */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % sides
  }
}

const instant = (ms: number) => new Date(ms).toISOString()
const phases = ['delivered', 'delivered', 'delivered', 'failed', 'uncertain', 'duplicate', 'queued'] as const
const kinds: readonly FailureKind[] = ['busy', 'no_answer', 'cancelled', 'rejected']
const prefixes = ['+1212', '+1415', '+4930', '+4420', '+35212']

interface Made {
  job: FaxJobRow
  attempts: FaxAttemptRow[]
}

const attemptOf = (job: FaxJobRow, n: number, change: Partial<FaxAttemptRow>): FaxAttemptRow => ({
  id: `${job.id.slice(0, 30)}0${n}`,
  job_id: job.id,
  number: n,
  provider: job.backend,
  provider_id: null,
  state: 'ended',
  started_at: job.created_at,
  accepted_at: job.created_at,
  ended_at: job.finished_at,
  kind: null,
  sentence: null,
  pages_confirmed: null,
  last_word: null,
  account: null,
  begun_after: null,
  from_number: null,
  over_by: null,
  again: null,
  call_record: null,
  call_options: null,
  is_test: null,
  ...change,
})

/** Faxes of every outcome over six weeks, around the day on which clocks change in Berlin. */
function makeFaxes(count: number): Made[] {
  const roll = dice(20_261_123)
  return Array.from({ length: count }, () => {
    const at = Date.UTC(2026, 2, 1) + roll(42 * 86_400) * 1000
    const phase = phases[roll(phases.length)] ?? 'queued'
    const isDelivered = phase === 'delivered' || phase === 'duplicate'
    const seconds = 20 + roll(3000)
    const job = newJob({
      to_number: `${prefixes[roll(prefixes.length)]}${String(5_550_000 + roll(40))}`,
      backend: ['phaxio', 'trunk', 'testline'][roll(9) === 0 ? 2 : roll(2)] ?? 'phaxio',
      phase,
      status: isDelivered ? 'SUCCESS' : phase === 'failed' ? 'FAILED' : 'in_progress',
      pages: 1 + roll(9),
      pages_confirmed: null,
      error_kind: phase === 'failed' ? (kinds[roll(kinds.length)] ?? 'busy') : null,
      caller_key_id: `key-${roll(3)}`,
      group_id: roll(2) === 0 ? null : `group-${roll(2)}`,
      created_at: instant(at),
      finished_at: isDelivered || phase === 'failed' ? instant(at + seconds * 1000) : null,
    })
    const steps = [
      { step: 'answered', at: instant(at + 5000) },
      { step: 'ended', at: instant(at + 5000 + (10 + roll(300)) * 1000) },
    ]
    const call_record = job.backend === 'trunk' && roll(3) > 0 ? JSON.stringify({ steps }) : null
    const busy = attemptOf(job, 1, {
      kind: 'busy',
      accepted_at: roll(2) === 0 ? null : job.created_at,
      call_record: null,
    })
    const last = attemptOf(job, 2, { kind: job.error_kind, call_record })
    return { job, attempts: phase === 'queued' ? [] : roll(4) === 0 ? [busy, last] : [last] }
  })
}

const price = (change: Partial<PriceRow>): PriceRow => ({
  id: `${change.provider} ${change.valid_from}`,
  provider: 'phaxio',
  direction: 'sent',
  valid_from: '2026-01-01',
  currency: 'USD',
  per_page: '0.07',
  per_minute: null,
  per_call: null,
  saved_at: '2026-01-01T00:00:00.000Z',
  ...change,
})

const prices = [
  price({}),
  price({ valid_from: '2026-03-20', per_page: '0.05', per_call: '0.011' }),
  price({ provider: 'trunk', currency: 'EUR', per_page: null, per_minute: '0.0125' }),
]

function contextOf(database: Database): GatewayContext {
  const find = (id: string) => ({ id, kind: id === 'testline' ? 'builtin' : 'cloud' })
  return testContext({ database, providers: { find } as never })
}

async function store({ db }: Database, made: readonly Made[]) {
  await db.insertInto('prices').values(prices).execute()
  const jobs = made.map(({ job }) => job)
  const attempts = made.flatMap((each) => each.attempts)
  for (let at = 0; at < made.length; at += 200) {
    await db
      .insertInto('fax_jobs')
      .values(jobs.slice(at, at + 200))
      .execute()
  }
  for (let at = 0; at < attempts.length; at += 200) {
    await db
      .insertInto('fax_attempts')
      .values(attempts.slice(at, at + 200))
      .execute()
  }
}

const zone = 'Europe/Berlin'
const clock = new Intl.DateTimeFormat('sv', { timeZone: zone })
const dayOf = (at: string) => clock.format(new Date(at))
const nearestRank = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? null

/** The figures of some faxes, by plain loops over what was made. */
function recount(made: readonly Made[]) {
  const counts = { sent: 0, delivered: 0, failed: 0, cancelled: 0, open: 0, pages: 0 }
  const times: number[] = []
  for (const { job } of made) {
    counts.sent += 1
    if (job.phase === 'delivered' || job.phase === 'duplicate') {
      counts.delivered += 1
      counts.pages += job.pages
      times.push((Date.parse(job.finished_at ?? '') - Date.parse(job.created_at)) / 1000)
    } else if (job.phase !== 'failed') counts.open += 1
    else if (job.error_kind === 'cancelled') counts.cancelled += 1
    else counts.failed += 1
  }
  return { ...counts, median_seconds: nearestRank(times, 0.5), p95_seconds: nearestRank(times, 0.95) }
}

/** What they cost, in floating point by currency; and how many attempts lack their length. */
function recountCost(made: readonly Made[]) {
  const cost = { USD: 0, EUR: 0, unknown: 0 }
  for (const { job, attempts } of made) {
    for (const attempt of attempts) {
      if (attempt.accepted_at === null) continue
      const arrived = attempt.kind === null && (job.phase === 'delivered' || job.phase === 'duplicate') ? job.pages : 0
      if (job.backend === 'phaxio') {
        // The gateway's own time zone decides from when a price holds; the tests run in any.
        const isLater = attempt.started_at >= new Date(2026, 2, 20).toISOString()
        cost.USD += isLater ? 0.011 + arrived * 0.05 : arrived * 0.07
      } else if (attempt.call_record === null) cost.unknown += 1
      else {
        const [answered, ended] = (JSON.parse(attempt.call_record) as { steps: { at: string }[] }).steps
        cost.EUR += ((Date.parse(ended?.at ?? '') - Date.parse(answered?.at ?? '')) / 60_000) * 0.0125
      }
    }
  }
  return cost
}

const amountOf = ({ costs }: Report['totals'], wanted: string) =>
  Number(costs.find(({ currency }) => currency === wanted)?.amount ?? 0)

onEachDatabase((open) => {
  describe('a report', () => {
    async function reported() {
      const database = await open()
      const made = makeFaxes(400)
      await store(database, made)
      const asked = { from: '2026-03-05', to: '2026-04-05', step: 'day', time_zone: zone } as const
      const report = await countFaxes(contextOf(database), periodOf(asked))
      const within = made.filter(({ job }) => {
        const day = dayOf(job.created_at)
        return job.backend !== 'testline' && day >= asked.from && day <= asked.to
      })
      return { database, report, within }
    }

    it('has the figures that a count by hand has, in all and by day', async () => {
      const { report, within } = await reported()
      expect(within.length).toBeGreaterThan(200)
      expect(report.totals).toMatchObject(recount(within))
      for (const { begins, ...figures } of report.steps) {
        expect(figures).toMatchObject(recount(within.filter(({ job }) => dayOf(job.created_at) === begins)))
      }
      expect(report.steps.reduce((sum, { sent }) => sum + sent, 0)).toBe(within.length)
    })

    it('counts test faxes too when that is asked for, and charges nothing for them', async () => {
      const database = await open()
      const at = '2026-03-10T10:00:00.000Z'
      const made = ['phaxio', 'testline'].map((backend) => {
        const ended = { phase: 'delivered', status: 'SUCCESS', created_at: at, finished_at: at } as const
        const job = newJob({ ...ended, backend, pages: 2 })
        return { job, attempts: [attemptOf(job, 1, { pages_confirmed: 2 })] }
      })
      await store(database, made)
      const asked = { from: '2026-03-10', to: '2026-03-10', step: 'day', time_zone: zone } as const
      const read = (tests: 'true' | 'false') => countFaxes(contextOf(database), periodOf({ ...asked, tests }))
      expect(await read('false')).toMatchObject({ tests: false, totals: { sent: 1, pages: 2 } })
      const all = await read('true')
      expect(all).toMatchObject({ tests: true, totals: { sent: 2, pages: 4 } })
      expect(all.totals.costs).toEqual((await read('false')).totals.costs)
    })

    it('has them by destination, number, cause, sender, group and provider', async () => {
      const { report, within } = await reported()
      const spelled = ['+1 212', '+1 415', '+49 30', '+44 20', '+352 12']
      expect(report.destinations.map(({ prefix }) => prefix).toSorted()).toEqual(spelled.toSorted())
      for (const { prefix, ...figures } of report.destinations) {
        const start = prefix?.replace(' ', '') ?? ''
        expect(figures).toMatchObject(recount(within.filter(({ job }) => job.to_number.startsWith(start))))
      }
      for (const { key_id: key, name: _, ...figures } of report.senders) {
        expect(figures).toMatchObject(recount(within.filter(({ job }) => job.caller_key_id === key)))
      }
      for (const { group_id: group, name: _, ...figures } of report.groups) {
        expect(figures).toMatchObject(recount(within.filter(({ job }) => job.group_id === group)))
      }
      for (const { backend, ...figures } of report.providers) {
        expect(figures).toMatchObject(recount(within.filter(({ job }) => job.backend === backend)))
      }
      const failed = within.filter(({ job }) => job.phase === 'failed' && job.error_kind !== 'cancelled')
      const causes = Map.groupBy(failed, ({ job }) => job.error_kind)
      expect(new Map(report.causes.map((cause) => [cause.kind, cause.failed]))).toEqual(
        new Map([...causes].map(([kind, jobs]) => [kind, jobs.length])),
      )
      const numbers = Map.groupBy(within, ({ job }) => job.to_number)
      const sizes = [...numbers.values()].map((jobs) => jobs.length).toSorted((a, b) => b - a)
      expect(report.numbers.map(({ sent }) => sent)).toEqual(sizes)
      expect(report.numbers.every(({ number }) => /^\*+\d{4}$/.test(number ?? ''))).toBe(true)
    })

    it('costs by the price of the day, and names the minutes that nobody knows', async () => {
      const { report, within } = await reported()
      const cost = recountCost(within)
      expect(cost.unknown).toBeGreaterThan(0)
      expect(amountOf(report.totals, 'USD')).toBeCloseTo(cost.USD, 6)
      expect(amountOf(report.totals, 'EUR')).toBeCloseTo(cost.EUR, 4)
      expect(report.totals).toMatchObject({ unknown_minutes: cost.unknown, unpriced: 0 })
    })

    it('counts attempts without a price, and says nothing of cost while there is none at all', async () => {
      const { database } = await reported()
      const period = periodOf({ from: '2026-03-05', to: '2026-04-05', step: 'month', time_zone: zone })
      await database.db.deleteFrom('prices').where('provider', '=', 'phaxio').execute()
      const some = await countFaxes(contextOf(database), period)
      expect(some.totals.unpriced).toBeGreaterThan(0)
      expect(some.totals.costs.map(({ currency }) => currency)).toEqual(['EUR'])
      await database.db.deleteFrom('prices').execute()
      const none = await countFaxes(contextOf(database), period)
      expect(none.totals).toMatchObject({ costs: [], unpriced: 0, unknown_minutes: 0 })
    })

    it('of days without a fax is all zeros', async () => {
      const database = await open()
      const report = await countFaxes(
        contextOf(database),
        periodOf({ from: '2026-03-05', to: '2026-03-06', step: 'day' }),
      )
      expect(report.totals).toMatchObject({ sent: 0, received: 0, median_seconds: null, costs: [] })
      expect(report.steps).toHaveLength(2)
      expect(report.destinations).toEqual([])
    })
  })
})

describe('the calls about reports', () => {
  const query = { from: '2026-03-01', to: '2026-03-31' }
  const terms = {
    backend: 'phaxio',
    direction: 'received',
    valid_from: '2026-02-01',
    currency: 'USD',
    per_page: '0.07',
    per_minute: null,
    per_call: null,
  } as const

  it('keep one price a day, refuse what is none, and record each change', async () => {
    const { client } = await startGateway()
    const first = await client.savePrice({ body: terms })
    const second = await client.savePrice({ body: { ...terms, per_page: '0.05' } })
    expect(second.id).toBe(first.id)
    expect(await client.listPrices({})).toMatchObject([{ per_page: '0.05', valid_from: '2026-02-01' }])
    await expect(client.savePrice({ body: { ...terms, per_page: null } })).rejects.toThrow()
    await expect(client.savePrice({ body: { ...terms, per_page: '-1' } })).rejects.toThrow()
    await expect(client.savePrice({ body: { ...terms, valid_from: '0001-01-01' } })).rejects.toThrow()
    await expect(client.savePrice({ body: { ...terms, backend: 'nobody' } })).rejects.toMatchObject({ status: 400 })
    await client.removePrice({ params: { id: first.id } })
    await client.removePrice({ params: { id: first.id } })
    expect(await client.listPrices({})).toEqual([])
    const { items } = await client.listLogs({ query: {} })
    const events = items.map(({ event }) => event).filter((event) => event.startsWith('price'))
    expect(events).toEqual(['price_removed', 'price_saved', 'price_saved'])
  })

  it('answer each table as CSV in which no cell runs as a formula', async () => {
    const { client } = await startGateway()
    const csv = async (section: 'steps' | 'destinations') =>
      (await client.exportReport({ query: { ...query, section } })).text()
    const lines = (await csv('steps')).split('\r\n')
    expect(lines[0]).toMatch(/^First day of the day,Sent,Delivered,/)
    expect(lines).toHaveLength(33)
    expect(await csv('destinations')).toMatch(/^Destination,Sent,/)
  })
})
