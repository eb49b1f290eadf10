import { maskNumber, type Lines } from '@faxdeck/contract'
import type { CallOptions, LiveCall } from '@faxdeck/provider-kit'
import type { NumberMemoryRow } from '../../base/db/tables/calls.ts'
import { transact } from '../../base/db/transact.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { countLineHours, readLineUse } from './line-hours.ts'
import { expireNumbers, forgetNumbers, listNumbers, memoryMs } from './number-memory.ts'
import { readCallReport } from './report.ts'
import type { Database } from '../../base/db/database.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'

type Channel = Lines['channels'][number]
const maxChannels = 200

const masked = (number: string | undefined) => (number ? maskNumber(number) : null)

function phaseOf({
  record,
  direction,
}: LiveCall): Pick<Channel, 'phase' | 'page' | 'speed'> & { at: string | undefined } {
  const last = record.steps?.at(-1)
  const speed = record.speeds?.at(-1)?.bps ?? null
  const done = last?.step === 'page' ? (last.page ?? 0) : 0
  if (last?.step === 'page' || last?.step === 'agreed') return { phase: 'page', page: done + 1, speed, at: last.at }
  // Of a call that was taken over, the steps before are not known; one with a fax under way was answered.
  const isAnswered = last?.step === 'answered' || direction === 'received' || (!last && record.transport !== undefined)
  const phase = isAnswered ? 'negotiating' : last ? 'dialing' : 'unknown'
  return { phase, page: null, speed, at: last?.at }
}

/** A call that this process did not see begin: one of another process, or of one that is gone. */
const unseen = { phase: 'unknown', page: null, speed: null, at: undefined } as const
const notBegun = { ...unseen, phase: 'dialing' } as const

interface Parts {
  database: Database
  providers: Pick<ProviderAccess, 'providers' | 'opened'>
  now: () => Date
}

/**
 * The calls that are up: of faxes we send by the record of them, which every process has, and with how far they have come
 * where the line of this process saw it; of those we receive what the line saw.
 */
export async function readChannels({ database, providers, now }: Parts): Promise<Channel[]> {
  const lines = providers.providers.flatMap(({ id }) => {
    const calls = providers.opened(id)?.calls?.()
    return calls ? [{ id, calls }] : []
  })
  if (lines.length === 0) return []
  const backends = lines.map(({ id }) => id)
  const rows = await database.db
    .selectFrom('fax_attempts')
    .innerJoin('fax_jobs', 'fax_jobs.attempt_id', 'fax_attempts.id')
    .select(['fax_attempts.id', 'fax_attempts.provider', 'fax_attempts.started_at', 'fax_jobs.to_number'])
    .select(['fax_jobs.id as job_id', 'fax_jobs.pages', 'fax_jobs.phase'])
    .where('fax_jobs.phase', 'in', ['submitting', 'accepted'])
    .where('fax_attempts.provider', 'in', backends)
    .orderBy('fax_attempts.started_at')
    .limit(maxChannels)
    .execute()
  const live = new Map(lines.flatMap(({ calls }) => calls.map((call) => [call.id, call] as const)))
  const sent = rows.map((row): Channel => {
    const call = live.get(row.id)
    const { at, ...how } = call ? phaseOf(call) : row.phase === 'submitting' ? notBegun : unseen
    const since = call?.record.steps?.[0]?.at ?? row.started_at
    const page = how.page === null ? null : Math.min(how.page, row.pages)
    const about = { backend: row.provider, direction: 'sent', job_id: row.job_id, pages: row.pages } as const
    return { ...about, number: maskNumber(row.to_number), ...how, page, since, phase_since: at ?? since }
  })
  const arriving = lines.flatMap(({ id, calls }) => calls.map((call) => ({ id, call })))
  const received = arriving.flatMap(({ id, call }): Channel[] => {
    if (call.direction !== 'received') return []
    const { at, ...how } = phaseOf(call)
    const since = call.record.steps?.[0]?.at ?? now().toISOString()
    const about = { backend: id, direction: 'received', job_id: null, number: masked(call.from), pages: null } as const
    return [{ ...about, ...how, since, phase_since: at ?? since }]
  })
  return [...sent, ...received].slice(0, maxChannels)
}

const maxNumbers = 500
const countAgainMs = 60_000

type Remembered = Pick<NumberMemoryRow, 'provider' | 'number'>

/** Names what is remembered of a number. A plain hash could be undone by trying all numbers. */
const idOf = ({ settings }: GatewayContext, { provider, number }: Remembered) =>
  settings.seals.fingerprint(`${provider} ${number}`)

function presentNumber(context: GatewayContext, row: NumberMemoryRow) {
  const { number, provider: backend, learned_at } = row
  const expires_at = new Date(Date.parse(learned_at) + memoryMs).toISOString()
  const options = JSON.parse(row.options) as CallOptions
  return { id: idOf(context, row), number: maskNumber(number), backend, options, learned_at, expires_at }
}

const forget = ({ database, events }: GatewayContext, which: Remembered | 'all', key_id: string): Promise<void> =>
  transact(database, async (tx) => {
    await events.numbersForgotten({ key_id, count: await forgetNumbers(tx, which) }, tx)
  })

function callHandlers(context: GatewayContext) {
  const { database, providers, now } = context
  let countedAt = 0
  /** The present hour counts too; it is counted again once a minute at most, however often somebody looks. */
  const count = async () => {
    const at = now().getTime()
    if (at - countedAt < countAgainMs) return
    countedAt = at
    await countLineHours(database, now())
  }
  return {
    getCallReport: () => readCallReport(database),
    getLines: async () => {
      const allowedOf = (id: string) => (providers.find(id) ? providers.concurrency(id) : 0)
      await count()
      return {
        channels: await readChannels({ database, providers, now }),
        use: await readLineUse(database, allowedOf, now()),
      }
    },
    listCallNumbers: async () => {
      const rows = await listNumbers(database, now(), maxNumbers)
      return rows.map((row) => presentNumber(context, row))
    },
    forgetCallNumber: async ({ params, caller }) => {
      const rows = await listNumbers(database, now(), Number.MAX_SAFE_INTEGER)
      const found = rows.find((row) => idOf(context, row) === params.id)
      if (found) await forget(context, found, caller.keyId)
    },
    forgetCallNumbers: async ({ caller }) => {
      await forget(context, 'all', caller.keyId)
    },
  } satisfies Partial<Handlers>
}

/** What telephone calls did: reports, channels, and what is remembered of numbers. */
export function createCalls(context: GatewayContext) {
  const { database, now } = context
  return {
    name: 'calls',
    routes: callHandlers(context),
    expire: async () => {
      await expireNumbers(database, now())
      await countLineHours(database, now())
    },
  } satisfies Feature
}
