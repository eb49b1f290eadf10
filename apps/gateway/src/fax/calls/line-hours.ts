import type { Lines } from '@faxdeck/contract'
import type { CallRecord } from '@faxdeck/provider-kit'
import type { LineHourRow } from '../../base/db/tables/calls.ts'
import type { Database } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { grouped } from '../../base/grouped.ts'
import { readCall } from './stored-call.ts'

/**
 * The share of calls that find no line free (Erlang B).
 * @param erlangs lines that the traffic keeps busy on average
 */
export function blocking(lines: number, erlangs: number): number {
  // The recursion of the formula, which needs no factorials: B(n) = A·B(n-1) / (n + A·B(n-1)).
  let share = 1
  for (let line = 1; line <= lines; line += 1) share = (erlangs * share) / (line + erlangs * share)
  return share
}

/** The fewest lines with which no more than this share of calls finds none free. */
export function linesFor(erlangs: number, share: number): number {
  let lines = 1
  while (blocking(lines, erlangs) > share) lines += 1
  return lines
}

const hour = 3_600_000
const day = 24 * hour
const retentionDays = 28
/** A call that began in an hour has ended when that hour is counted for the last time. */
const countedAgain = 6
/** After a stop, hours are counted that far back. */
const longestGapHours = 48
const acceptedBlocking = 0.01
/** Below that, a busy hour says more about chance than about what is needed. */
const fewestCalls = 100
const fewestDays = 7

interface Interval {
  provider: string
  begin: number
  end: number
}

const startOf = (at: number) => Math.floor(at / hour) * hour
const instant = (at: number) => new Date(at).toISOString()

/** When a call held a line: from the moment it was dialed, or taken. */
function intervalOf(provider: string, { steps = [] }: CallRecord, fallback: string, ended: string): Interval {
  const at = (step: string) => steps.find((each) => each.step === step)?.at
  const begin = Date.parse(at('dialed') ?? at('answered') ?? fallback)
  return { provider, begin, end: Math.max(begin, Date.parse(at('ended') ?? ended)) }
}

async function readIntervals({ db }: Database, since: number): Promise<Interval[]> {
  const from = instant(since)
  const sent = await db
    .selectFrom('fax_attempts')
    .select(['provider', 'call_record', 'started_at', 'ended_at'])
    .where('call_record', 'is not', null)
    .where('ended_at', '>=', from)
    .execute()
  const received = await db
    .selectFrom('inbound_faxes')
    .select(['provider', 'call_record', 'received_at'])
    .where('call_record', 'is not', null)
    .where('received_at', '>=', from)
    .execute()
  return [
    ...sent.map((row) => intervalOf(row.provider, readCall(row) ?? {}, row.started_at, row.ended_at ?? '')),
    ...received.map((row) => intervalOf(row.provider, readCall(row) ?? {}, row.received_at, row.received_at)),
  ]
}

/** Most of the intervals that lie over each other. */
export function peakOf(intervals: readonly Pick<Interval, 'begin' | 'end'>[]): number {
  const turns = intervals.flatMap(({ begin, end }) => [[begin, 1] as const, [end, -1] as const])
  let [now, peak] = [0, 0]
  // Where one call ends as the next begins, one line carries both.
  for (const [, change] of turns.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    now += change
    peak = Math.max(peak, now)
  }
  return peak
}

function hourRow(provider: string, begin: number, all: readonly Interval[]): LineHourRow | undefined {
  const end = begin + hour
  const within = all.filter((each) => each.provider === provider && each.begin < end && each.end > begin)
  if (within.length === 0) return undefined
  const cut = within.map((each) => ({ begin: Math.max(each.begin, begin), end: Math.min(each.end, end) }))
  const busy = cut.reduce((sum, each) => sum + each.end - each.begin, 0)
  // A call counts in the hour in which it began.
  const calls = within.filter((each) => each.begin >= begin).length
  return { provider, hour: instant(begin), calls, busy_seconds: Math.round(busy / 1000), peak: peakOf(cut) }
}

/**
 * Counts how busy the lines were in the last hours, again from the calls themselves: however often it is done, and by
 * however many processes, the result is the same.
 */
export async function countLineHours(database: Database, now: Date): Promise<void> {
  const newest = await database.db
    .selectFrom('line_hours')
    .select((eb) => eb.fn.max('hour').as('hour'))
    .executeTakeFirst()
  const present = startOf(now.getTime())
  const known = newest?.hour ? Date.parse(newest.hour) - countedAgain * hour : 0
  const first = Math.max(Math.min(known, present - countedAgain * hour), present - longestGapHours * hour)
  const intervals = await readIntervals(database, first)
  const rows: LineHourRow[] = []
  for (const provider of new Set(intervals.map((each) => each.provider)))
    for (let begin = first; begin <= present; begin += hour)
      rows.push(...[hourRow(provider, begin, intervals) ?? []].flat())
  await transact(database, async (tx) => {
    for (const { provider, hour: at, ...counts } of rows) {
      const row = tx.insertInto('line_hours').values({ provider, hour: at, ...counts })
      await row.onConflict((conflict) => conflict.columns(['provider', 'hour']).doUpdateSet(counts)).execute()
    }
    await tx
      .deleteFrom('line_hours')
      .where('hour', '<', instant(now.getTime() - retentionDays * day))
      .execute()
  })
}

type LineUse = Lines['use'][number]
function enough(rows: readonly LineHourRow[], calls: number): Pick<LineUse, 'enough' | 'basis'> {
  const days = new Set(rows.map((row) => row.hour.slice(0, 10))).size
  if (calls < fewestCalls || days < fewestDays) {
    const has = `${grouped(calls)} ${calls === 1 ? 'call' : 'calls'} on ${days} ${days === 1 ? 'day' : 'days'}`
    const basis = `Not enough traffic to estimate how many lines you need: ${has}. It takes ${fewestCalls} calls on ${fewestDays} days.`
    return { enough: null, basis }
  }
  const erlangs = Math.max(...rows.map((row) => row.busy_seconds)) / 3600
  const lines = linesFor(erlangs, acceptedBlocking)
  const basis = `With ${lines} ${lines === 1 ? 'line' : 'lines'}, 1 call in 100 finds none free (Erlang B). In the busiest hour of the last 4 weeks, ${erlangs.toFixed(1)} lines were busy on average; ${grouped(calls)} calls were counted. Faxes that you send wait for a line, received ones hear a busy tone.`
  return { enough: lines, basis }
}

/** How busy the lines of each provider were. @param allowedOf how many calls a provider may carry at once */
export async function readLineUse(
  { db }: Database,
  allowedOf: (provider: string) => number,
  now: Date,
): Promise<LineUse[]> {
  const since = instant(now.getTime() - retentionDays * day)
  const all = await db.selectFrom('line_hours').selectAll().where('hour', '>=', since).orderBy('hour').execute()
  return [...Map.groupBy(all, ({ provider }) => provider)].map(([backend, rows]) => {
    const calls = rows.reduce((sum, row) => sum + row.calls, 0)
    const top = rows.reduce((best, row) => (row.peak > best.peak ? row : best))
    return {
      backend,
      calls,
      peak: top.peak,
      peak_at: top.hour,
      allowed: allowedOf(backend),
      hours: rows.map(({ provider: _, ...row }) => row),
      ...enough(rows, calls),
    }
  })
}
