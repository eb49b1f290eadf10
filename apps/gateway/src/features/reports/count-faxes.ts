import { destinationOf, maskNumber, type Report } from '@faxdeck/contract'
import { readKeyNames } from '../../access/actors/key-names.ts'
import { readCall } from '../../fax/calls/stored-call.ts'
import type { GatewayContext } from '../../base/context.ts'
import { outcomeOf } from '../../fax/move/job-states.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { connectedSeconds, type Pricing, pricingOf } from './cost.ts'
import type { Period } from './period.ts'
import { listPriceRows } from './prices.ts'
import { type AttemptRow, readAttempts, readReceived, readSent, type ReceivedRow, type SentRow } from './read-faxes.ts'
import { type SentFax, Tally } from './tally.ts'

const maxRows = 200
/** Numbers that are counted apart: those seen first. */
const maxNumbers = 100_000

type NumberCounts = Omit<Report['numbers'][number], 'number'>

/** Everything that a report counts, while faxes pass by in the order of their time. */
class Counts {
  readonly totals = new Tally()
  readonly steps: Tally[]
  readonly destinations = new Map<string | null, Tally>()
  readonly numbers = new Map<string | null, NumberCounts>()
  readonly causes = new Map<string | null, number>()
  readonly senders = new Map<string, Tally>()
  readonly groups = new Map<string | null, Tally>()
  readonly providers = new Map<string, Tally>()
  readonly #period: Period
  #step = 0

  constructor(period: Period) {
    this.#period = period
    this.steps = period.steps.map(() => new Tally())
  }

  /** The step that an instant is in; instants come in order. */
  #stepAt(at: string): Tally {
    const { steps } = this.#period
    for (let next = steps[this.#step + 1]; next && next.at <= at; next = steps[this.#step + 1]) this.#step++
    return this.steps[this.#step] ?? this.totals
  }

  /** From the first step on again, for faxes of the other direction. */
  rewind(): void {
    this.#step = 0
  }

  /** The counts that a sent fax belongs to, except those of providers. */
  ofSent({ created_at: at, to_number: to, caller_key_id: key, group_id: group }: SentRow): Tally[] {
    const destination = tallyOf(this.destinations, destinationOf(to))
    return [this.totals, this.#stepAt(at), destination, tallyOf(this.senders, key), tallyOf(this.groups, group)]
  }

  ofReceived({ received_at: at, provider, group_id: group }: ReceivedRow): Tally[] {
    return [this.totals, this.#stepAt(at), tallyOf(this.groups, group), tallyOf(this.providers, provider)]
  }

  addNumber(to: string, outcome: SentFax['outcome']): void {
    const number = this.numbers.has(to) || this.numbers.size < maxNumbers ? to : null
    const counts = this.numbers.get(number) ?? { sent: 0, delivered: 0, failed: 0 }
    counts.sent++
    if (outcome === 'delivered' || outcome === 'failed') counts[outcome]++
    this.numbers.set(number, counts)
  }

  addCause(kind: string | null): void {
    this.causes.set(kind, (this.causes.get(kind) ?? 0) + 1)
  }
}

function tallyOf<Key>(tallies: Map<Key, Tally>, key: Key): Tally {
  const present = tallies.get(key)
  if (present) return present
  const tally = new Tally()
  tallies.set(key, tally)
  return tally
}

/** What is known of the outcome: what nobody knows is open. */
function knownOutcome(row: SentRow): SentFax['outcome'] {
  const outcome = outcomeOf(row)
  return outcome === 'delivered' || outcome === 'failed' || outcome === 'cancelled' ? outcome : 'open'
}

function sentFax(row: SentRow): SentFax {
  const outcome = knownOutcome(row)
  if (outcome !== 'delivered') return { outcome, pages: 0, seconds: undefined }
  const ms = row.finished_at === null ? undefined : Date.parse(row.finished_at) - Date.parse(row.created_at)
  return { outcome, pages: row.pages_confirmed ?? row.pages, seconds: ms === undefined ? undefined : ms / 1000 }
}

/** Pages that an attempt is charged for: those confirmed; where a provider confirms none, those of a delivered fax. */
function pagesOf(attempt: AttemptRow, job: SentRow): number {
  const isDelivered = attempt.state === 'ended' && attempt.kind === null && knownOutcome(job) === 'delivered'
  return attempt.pages_confirmed ?? (isDelivered ? (job.pages_confirmed ?? job.pages) : 0)
}

interface Counting {
  context: GatewayContext
  period: Period
  counts: Counts
  /** Undefined while no provider has a price: then no attempt needs to be read. */
  pricing: Pricing | undefined
}

async function countSent({ context, period, counts, pricing }: Counting): Promise<void> {
  const { database, providers } = context
  for await (const rows of readSent(database, period.steps[0]?.at ?? period.end, period.end)) {
    const counted = period.tests ? rows : rows.filter((row) => !isTestFax(providers, row))
    const ids = counted.map(({ id }) => id)
    const attempts = pricing ? await readAttempts(database, ids) : undefined
    for (const row of counted) {
      const fax = sentFax(row)
      const tallies = counts.ofSent(row)
      for (const tally of [...tallies, tallyOf(counts.providers, row.backend)]) tally.addSent(fax)
      counts.addNumber(row.to_number, fax.outcome)
      if (fax.outcome === 'failed') counts.addCause(row.error_kind)
      for (const attempt of attempts?.get(row.id) ?? []) {
        // What a provider never took is not charged.
        const { provider, started_at: at, is_test } = attempt
        const isCharged = attempt.accepted_at !== null && !isTestFax(providers, { backend: provider, is_test })
        if (!pricing || !isCharged) continue
        const seconds = connectedSeconds(readCall(attempt))
        const cost = pricing({ provider, direction: 'sent', at, pages: pagesOf(attempt, row), seconds })
        for (const tally of [...tallies, tallyOf(counts.providers, provider)]) tally.addCost(cost)
      }
    }
  }
}

async function countReceived({ context: { database }, period, counts, pricing }: Counting): Promise<void> {
  counts.rewind()
  for await (const rows of readReceived(database, period.steps[0]?.at ?? period.end, period.end)) {
    for (const row of rows) {
      if ((row.is_test === 1 && !period.tests) || row.status !== 'received') continue
      const pages = row.pages ?? 0
      const { provider, received_at: at } = row
      const cost = pricing?.({ provider, direction: 'received', at, pages, seconds: connectedSeconds(readCall(row)) })
      for (const tally of counts.ofReceived(row)) {
        tally.addReceived(pages)
        // Most providers charge nothing for what is received: without a price it is not missing one.
        if (cost && cost !== 'unpriced') tally.addCost(cost)
      }
    }
  }
}

type Keyed<Key, Value> = [Key, Value]

/** The largest rows, and what is beyond them in one with the key null. */
function largest<Key, Value>(
  all: ReadonlyMap<Key, Value>,
  sizeOf: (value: Value) => number,
): { rows: Keyed<Key, Value>[]; rest: Value[] } {
  const isNamed = ([key]: Keyed<Key, Value>) => key !== null
  const sorted = [...all].filter(isNamed).toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))
  const unnamed = [...all].filter((row) => !isNamed(row)).map(([, value]) => value)
  return { rows: sorted.slice(0, maxRows), rest: [...sorted.slice(maxRows).map(([, value]) => value), ...unnamed] }
}

function numberRows({ numbers }: Counts): Report['numbers'] {
  const { rows, rest } = largest(numbers, ({ sent }) => sent)
  const others = { number: null, sent: 0, delivered: 0, failed: 0 }
  for (const { sent, delivered, failed } of rest) {
    others.sent += sent
    others.delivered += delivered
    others.failed += failed
  }
  const named = rows.map(([number, counted]) => ({ number: number === null ? null : maskNumber(number), ...counted }))
  return others.sent === 0 ? named : [...named, others]
}

function destinationRows({ destinations }: Counts): Report['destinations'] {
  const { rows, rest } = largest(destinations, ({ sent }) => sent)
  const others = new Tally()
  for (const tally of rest) others.addAll(tally)
  const named = rows.map(([prefix, tally]) => ({ prefix, ...tally.figures() }))
  return others.sent === 0 ? named : [...named, { prefix: null, ...others.figures() }]
}

const byVolume = ([, a]: Keyed<unknown, Tally>, [, b]: Keyed<unknown, Tally>) => b.volume - a.volume

async function present({ context: { database }, period, counts }: Counting): Promise<Report> {
  const { from, to, timeZone, step, steps, tests } = period
  const names = await readKeyNames(database, [...counts.senders.keys()])
  const groups = await database.db.selectFrom('groups').select(['id', 'name']).execute()
  const groupName = new Map(groups.map(({ id, name }) => [id, name]))
  return {
    ...{ from, to, time_zone: timeZone, step, tests },
    totals: counts.totals.bothFigures(),
    steps: steps.map(({ begins }, at) => ({ begins, ...(counts.steps[at] ?? new Tally()).bothFigures() })),
    destinations: destinationRows(counts),
    numbers: numberRows(counts),
    causes: [...counts.causes].map(([kind, failed]) => ({ kind, failed })).toSorted((a, b) => b.failed - a.failed),
    senders: [...counts.senders].toSorted(byVolume).map(([key_id, tally]) => {
      return { key_id, name: names.get(key_id) ?? null, ...tally.figures() }
    }),
    groups: [...counts.groups].toSorted(byVolume).map(([group_id, tally]) => {
      return { group_id, name: group_id === null ? null : (groupName.get(group_id) ?? null), ...tally.bothFigures() }
    }),
    providers: [...counts.providers].toSorted(byVolume).map(([backend, tally]) => {
      return { backend, ...tally.bothFigures() }
    }),
  }
}

/** Counts the faxes of a period. Reads each of them once, a bounded number at a time. */
export async function countFaxes(context: GatewayContext, period: Period): Promise<Report> {
  const prices = await listPriceRows(context.database)
  const pricing = prices.length > 0 ? pricingOf(prices) : undefined
  const counting: Counting = { context, period, counts: new Counts(period), pricing }
  await countSent(counting)
  await countReceived(counting)
  return present(counting)
}
