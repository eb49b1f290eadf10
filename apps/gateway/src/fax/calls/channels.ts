import { type Lines, maskNumber } from '@faxdeck/contract'
import type { LiveCall } from '@faxdeck/provider-kit'
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
  const rows = await database.db
    .selectFrom('fax_attempts')
    .innerJoin('fax_jobs', 'fax_jobs.attempt_id', 'fax_attempts.id')
    .select(['fax_attempts.id', 'fax_attempts.provider', 'fax_attempts.started_at', 'fax_jobs.to_number'])
    .select(['fax_jobs.id as job_id', 'fax_jobs.pages', 'fax_jobs.phase'])
    .where('fax_jobs.phase', 'in', ['submitting', 'accepted'])
    .where(
      'fax_attempts.provider',
      'in',
      lines.map(({ id }) => id),
    )
    .orderBy('fax_attempts.started_at')
    .limit(maxChannels)
    .execute()
  const live = new Map(lines.flatMap(({ calls }) => calls.map((call) => [call.id, call] as const)))
  const sent = rows.map((row): Channel => {
    const call = live.get(row.id)
    const { at, ...how } = call ? phaseOf(call) : row.phase === 'submitting' ? notBegun : unseen
    const since = call?.record.steps?.[0]?.at ?? row.started_at
    const page = how.page === null ? null : Math.min(how.page, row.pages)
    const about = {
      backend: row.provider,
      direction: 'sent',
      job_id: row.job_id,
      number: maskNumber(row.to_number),
    } as const
    return { ...about, ...how, page, pages: row.pages, since, phase_since: at ?? since }
  })
  const received = lines.flatMap(({ id, calls }) =>
    calls
      .filter(({ direction }) => direction === 'received')
      .map((call): Channel => {
        const { at, ...how } = phaseOf(call)
        const since = call.record.steps?.[0]?.at ?? now().toISOString()
        const about = { backend: id, direction: 'received', job_id: null, number: masked(call.from) } as const
        return { ...about, ...how, pages: null, since, phase_since: at ?? since }
      }),
  )
  return [...sent, ...received].slice(0, maxChannels)
}
