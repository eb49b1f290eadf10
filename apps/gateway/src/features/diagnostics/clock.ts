import type { Provider } from '@faxdeck/provider-kit'
import { sql } from 'kysely'
import type { Database } from '../../base/db/database.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'
import type { Probe } from '../../base/checks.ts'
import { grouped } from '../../base/grouped.ts'

/** Another clock, and how it compares. */
export interface OtherClock {
  /** Whose it is, for people. */
  name: string
  /** Milliseconds by which the clock here is ahead; negative when it is behind. Providers report whole seconds. */
  aheadMs: number
}

/** Clocks that keep time are closer than this. */
const largestSkewMs = 5000
/** The newest entries of the audit trail, by their place in it. */
const entriesLookedAt = 1000

/** An answer that is older belongs to another time: a machine that slept, say. */
const freshMs = 60_000

/** The clocks of providers, as far as they have just been asked. */
export function clocksOf(access: Pick<ProviderAccess, 'clock'>, providers: readonly Provider[]): OtherClock[] {
  return providers.flatMap(({ id, name }) => {
    const reading = access.clock(id)
    return reading && reading.ageMs < freshMs ? [{ name, aheadMs: -reading.aheadMs }] : []
  })
}

async function databaseClock({ db, engine }: Database, now: () => Date): Promise<OtherClock[]> {
  // A database in a file has no clock of its own.
  if (engine === 'sqlite') return []
  const from = now().getTime()
  const { rows } = await sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
  const reported = Number(rows[0]?.ms)
  const until = now().getTime()
  return [{ name: 'the database', aheadMs: from > reported ? from - reported : Math.min(0, until - reported) }]
}

async function latestEntry({ db }: Database): Promise<number> {
  const newest = db.selectFrom('audit_events').select('ts').orderBy('seq', 'desc').limit(entriesLookedAt)
  const found = await db
    .selectFrom(newest.as('newest'))
    .select((eb) => eb.fn.max('ts').as('ts'))
    .executeTakeFirst()
  return Date.parse(found?.ts ?? '')
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

function spanOf(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  const [unit, size] = units.find(([, size]) => seconds >= 2 * size || size === 1) ?? units[3]
  const count = Math.round(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} (${grouped(seconds)} s)`
}

const report = ({ name, aheadMs }: OtherClock) =>
  `The clock of this machine is ${spanOf(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${name}.`

const onlyTheDatabase =
  'The clock of the database server is wrong, or that of this machine and of the provider: compare them, and keep them set by NTP.'
const fromTheFuture =
  'The audit trail has entries dated in the future. This machine’s clock is behind, or was ahead when they were written. Check it, and keep it set by NTP.'

interface ClockParts {
  database: Database
  now: () => Date
  /** The clocks of those who were asked, once they have answered or not. */
  others: (signal: AbortSignal) => Promise<readonly OtherClock[]>
}

/** Whether the clock here agrees with those of others. The audit trail is looked at when no other clock can be read. */
export function clockProbe({ database, now, others }: ClockParts): Probe {
  return {
    name: 'clock',
    severity: 'warning',
    hint: 'This machine’s clock is wrong, so faxes, links and the audit trail have wrong times. Set it, and keep it set by NTP.',
    run: async (signal) => {
      const [providers, own] = await Promise.all([others(signal), databaseClock(database, now)])
      const clocks = [...providers, ...own]
      const wrong = clocks.filter(({ aheadMs }) => Math.abs(aheadMs) > largestSkewMs)
      if (wrong.length > 0) {
        const detail = wrong.map(report).join(' ')
        const providersAgree = providers.length > 0 && wrong.every((clock) => own.includes(clock))
        return { passed: false, detail, ...(providersAgree && { instead: { hint: onlyTheDatabase } }) }
      }
      if (clocks.length > 0) {
        return { passed: true, detail: `agrees with ${clocks.map(({ name }) => name).join(' and ')}` }
      }
      const latest = await latestEntry(database)
      if (latest - now().getTime() > largestSkewMs) {
        const detail = `The latest entry is of ${new Date(latest).toISOString()}.`
        return { passed: false, detail, instead: { hint: fromTheFuture } }
      }
      return { passed: true, detail: 'compared with the audit trail only, because no other clock was available' }
    },
  }
}
