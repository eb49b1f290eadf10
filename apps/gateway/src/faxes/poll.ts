import { type Line, ProviderProblem, type StatusUpdate } from '@faxdeck/provider-kit'
import type { FaxAttemptRow, FaxJobRow } from '../db/tables.ts'
import { advance } from './advance.ts'
import type { FaxDoors } from './doors.ts'
import { firstPollMs } from './plan-move.ts'
import { afterUncertain, lineOf } from './reconcile.ts'
import { report } from './report.ts'

const minute = 60_000
const longestPauseMs = 60 * minute
/** A provider may need a while before it knows a fax it has just taken. */
const unknownAfterMs = 10 * minute
const silentAfterMs = 24 * 60 * minute
const askTimeoutMs = 30_000

const unknownSentence = 'The provider took the fax but does not know it any more. Whether it arrived is not known.'
const silentSentence = 'The provider has not said within a day what became of the fax.'

/** Pauses as long as the fax is out already: 15 s, 30 s, a minute … up to an hour. */
function nextPoll(acceptedAt: number, now: number): Date {
  return new Date(now + Math.min(Math.max(now - acceptedAt, firstPollMs), longestPauseMs))
}

/**
 * Asks for the state of a fax the provider has taken.
 * @returns null when the provider does not know it, undefined when it cannot be asked now
 */
async function askStatus(
  line: Line,
  providerId: string,
  signal: AbortSignal,
): Promise<StatusUpdate | null | undefined> {
  if (!line.status) return undefined
  try {
    return (await line.status(providerId, AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]))) ?? null
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ProviderProblem || (error instanceof Error && error.name === 'TimeoutError')) return undefined
    throw error
  }
}

async function liveAttempt(doors: FaxDoors, job: FaxJobRow): Promise<FaxAttemptRow> {
  const attempts = doors.database.db.selectFrom('fax_attempts').selectAll()
  return attempts.where('id', '=', job.attempt_id ?? '').executeTakeFirstOrThrow()
}

/** Asks once what became of a fax that its provider has taken, and records the answer. */
export async function askProvider(
  doors: FaxDoors,
  job: FaxJobRow,
  signal: AbortSignal,
): Promise<'known' | 'unknown' | 'silent'> {
  const line = lineOf(doors, job.backend)
  if (!line || job.provider_id === null || job.attempt_id === null) return 'silent'
  const update = await askStatus(line, job.provider_id, signal)
  if (update) await report(doors, job.backend, { ...update, attemptId: job.attempt_id, providerId: job.provider_id })
  return update ? 'known' : update === null ? 'unknown' : 'silent'
}

/** Looks after a fax that its provider has taken and not told about for a while. */
export async function poll(doors: FaxDoors, job: FaxJobRow, signal: AbortSignal): Promise<Date | undefined> {
  const attempt = await liveAttempt(doors, job)
  const acceptedAt = Date.parse(attempt.accepted_at ?? attempt.started_at)
  const answer = await askProvider(doors, job, signal)
  const now = doors.now().getTime()
  const out = now - acceptedAt
  const giveUp = (answer === 'unknown' && out > unknownAfterMs) || out > silentAfterMs
  if (giveUp) {
    const sentence = answer === 'unknown' ? unknownSentence : silentSentence
    await advance(doors, job.id, {
      to: 'uncertain',
      attemptId: attempt.id,
      sentence,
      lookAgain: afterUncertain(doors.now()),
    })
  }
  const { phase } = await doors.database.db
    .selectFrom('fax_jobs')
    .select('phase')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  return phase === 'accepted' ? nextPoll(acceptedAt, now) : undefined
}
