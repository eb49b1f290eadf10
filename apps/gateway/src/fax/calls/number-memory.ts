import type { CallOptions, CallRecord, CallTuning } from '@faxdeck/provider-kit'
import type { Database, Tx, Reader } from '../../base/db/database.ts'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { brokeOff, type CallChoice, chooseCall, readChoice } from './ladder.ts'

/** After that a number is called as the settings have it: its machine or its line may be another one by then. */
export const memoryMs = 30 * 24 * 3_600_000

const freshSince = (now: Date) => new Date(now.getTime() - memoryMs).toISOString()

/** What of a delivery is worth to be tried first: what its engine reported, and no more. */
function workedOptions({ transport, speeds, ecm }: CallRecord, attempt: Delivered): CallOptions {
  const speed = speeds?.at(-1)?.bps
  return {
    ...(transport === undefined ? {} : { transport }),
    ...(speed === undefined ? {} : { speed }),
    ...(ecm === undefined ? {} : { ecm }),
    ...(readChoice(attempt)?.options.buffered && transport !== 't38' ? { buffered: true } : {}),
  }
}

/** What is remembered, as far as the line can still be asked for it, and the settings do not rule it out. */
function allowed({ transport, speed, ecm, buffered }: CallOptions, tuning: CallTuning): CallOptions | undefined {
  const kept: CallOptions = {
    // With one way only there is nothing to ask for: how it goes, the line knows best.
    ...(transport !== undefined && tuning.transports.length > 1 ? { transport } : {}),
    ...(speed !== undefined && tuning.speeds.slice(1).includes(speed) ? { speed } : {}),
    ...(ecm === false ? { ecm } : {}),
    ...(buffered && tuning.hasBuffer ? { buffered } : {}),
  }
  return Object.keys(kept).length > 0 ? kept : undefined
}

type Delivered = Pick<FaxAttemptRow, 'provider' | 'call_options'>

/**
 * Remembers how a fax was delivered. What was only tried because it was remembered keeps its age, so that a number is
 * called again as the settings have it once in a while.
 */
export async function rememberNumber(
  tx: Tx,
  { to_number: number }: Pick<FaxJobRow, 'to_number'>,
  attempt: Delivered,
  call: CallRecord | undefined,
  now: Date,
): Promise<void> {
  const worked = call && workedOptions(call, attempt)
  if (!worked || Object.keys(worked).length === 0 || readChoice(attempt)?.why === 'memory') return
  const options = JSON.stringify(worked)
  const learned_at = now.toISOString()
  await tx
    .insertInto('number_memory')
    .values({ provider: attempt.provider, number, options, learned_at })
    .onConflict((conflict) => conflict.columns(['provider', 'number']).doUpdateSet({ options, learned_at }))
    .execute()
}

/**
 * How the next call of a fax is asked for: as it worked with the number, and after a call that broke off with one thing
 * changed. What is remembered and did not work any more is forgotten.
 */
export async function planCall(
  { db }: Database,
  job: Pick<FaxJobRow, 'id' | 'backend' | 'to_number'>,
  tuning: CallTuning | undefined,
  now: Date,
): Promise<CallChoice | undefined> {
  if (!tuning) return undefined
  const { backend: provider, to_number: number } = job
  const ofJob = db.selectFrom('fax_attempts').selectAll().where('job_id', '=', job.id)
  const attempts = await ofJob.where('provider', '=', provider).orderBy('number').execute()
  const last = attempts.at(-1)
  if (last && readChoice(last)?.why === 'memory' && brokeOff(last)) await forgetNumbers(db, { provider, number })
  const found = db.selectFrom('number_memory').select('options').where('provider', '=', provider)
  const row = await found.where('number', '=', number).where('learned_at', '>=', freshSince(now)).executeTakeFirst()
  const remembered = row && allowed(JSON.parse(row.options) as CallOptions, tuning)
  return chooseCall(attempts, remembered, tuning)
}

/** Forgets what worked with one number over a provider, or with all. @returns how many were forgotten */
export async function forgetNumbers(db: Reader, which: { provider: string; number: string } | 'all'): Promise<number> {
  let gone = db.deleteFrom('number_memory')
  if (which !== 'all') gone = gone.where('provider', '=', which.provider).where('number', '=', which.number)
  return Number((await gone.executeTakeFirst()).numDeletedRows)
}

/** What is remembered now, the newest first. */
export async function listNumbers({ db }: Database, now: Date, limit: number) {
  const fresh = db.selectFrom('number_memory').selectAll().where('learned_at', '>=', freshSince(now))
  return fresh.orderBy('learned_at', 'desc').orderBy('number').limit(limit).execute()
}

/** Removes what is past its time. */
export async function expireNumbers({ db }: Database, now: Date): Promise<void> {
  await db.deleteFrom('number_memory').where('learned_at', '<', freshSince(now)).execute()
}
