import { type HandedOver, type Line, ProviderProblem } from '@faxdeck/provider-kit'
import type { FaxJobRow } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../http/problem.ts'
import type { Claim } from '../queue/queue.ts'
import { advance } from './advance.ts'
import { withdrawDocumentLink } from './document-link.ts'
import type { FaxDoors } from './doors.ts'

const day = 24 * 3_600_000
const firstLookMs = 5000
const askTimeoutMs = 30_000
/** Attempts further apart than this are told apart by the time at which the provider wrote them down. */
const rivalWithinMs = 10 * 60_000
const notKnown = 'The gateway stopped while the fax was handed over. Whether the provider took it is not known.'

/** When an uncertain fax is looked into for the first time. */
export const afterUncertain = (now: Date): Date => new Date(now.getTime() + firstLookMs)

/** The provider's line while it is set up; undefined when it is not, so that there is nobody to ask. */
export function lineOf(doors: FaxDoors, provider: string): Line | undefined {
  try {
    return doors.providers.line(provider)
  } catch (error) {
    if (error instanceof Problem && error.code === 'provider_not_configured') return undefined
    throw error
  }
}

async function handedOver({ database: { db } }: FaxDoors, job: FaxJobRow, attemptId: string): Promise<HandedOver> {
  const attempts = db.selectFrom('fax_attempts')
  const { started_at } = await attempts.select('started_at').where('id', '=', attemptId).executeTakeFirstOrThrow()
  return {
    to: job.to_number,
    at: new Date(started_at),
    isKnown: async (providerId) => {
      const others = attempts.select('id').where('provider', '=', job.backend).where('provider_id', '=', providerId)
      return (await others.where('id', '!=', attemptId).executeTakeFirst()) !== undefined
    },
    hasRival: async () => {
      const near = (ms: number) => new Date(Date.parse(started_at) + ms).toISOString()
      const rivals = db
        .selectFrom('fax_attempts')
        .innerJoin('fax_jobs', 'fax_jobs.id', 'fax_attempts.job_id')
        .select('fax_attempts.id')
        .where('fax_attempts.provider', '=', job.backend)
        .where('fax_attempts.provider_id', 'is', null)
        .where('fax_attempts.id', '!=', attemptId)
        .where('fax_attempts.started_at', '>', near(-rivalWithinMs))
        .where('fax_attempts.started_at', '<', near(rivalWithinMs))
        .where('fax_jobs.to_number', '=', job.to_number)
        // What ended for any other reason was certainly not taken.
        .where((eb) => eb.or([eb('kind', 'is', null), eb('kind', '=', 'uncertain')]))
      return (await rivals.executeTakeFirst()) !== undefined
    },
  }
}

/** Asks the provider whether it took the attempt; undefined when it cannot say. */
async function askLine(doors: FaxDoors, job: FaxJobRow, attemptId: string, signal: AbortSignal) {
  const line = lineOf(doors, job.backend)
  if (!line?.find) return undefined
  const facts = await handedOver(doors, job, attemptId)
  try {
    return await line.find(attemptId, AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]), facts)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ProviderProblem || (error instanceof Error && error.name === 'TimeoutError')) return undefined
    throw error
  }
}

/** Whether the provider took the attempt: by its own word, or because its document cannot be had any more. */
async function ask(doors: FaxDoors, job: FaxJobRow, attemptId: string, signal: AbortSignal) {
  const found = await askLine(doors, job, attemptId, signal)
  if (found) return found
  return (await withdrawDocumentLink(doors.database, attemptId)) ? ({ taken: false } as const) : undefined
}

/** Asks once what became of an attempt that nobody looks after just now, and records a certain answer. */
export async function reconcileNow(doors: FaxDoors, job: FaxJobRow, signal: AbortSignal): Promise<void> {
  const { attempt_id: attemptId } = job
  const found = attemptId === null ? undefined : await ask(doors, job, attemptId, signal)
  if (attemptId === null || !found) return
  if (found.taken) await advance(doors, job.id, { to: 'accepted', attemptId, providerId: found.providerId })
  else await advance(doors, job.id, { to: 'not_taken', attemptId })
}

/** Longer and longer pauses for a day, then once a day: by then a person knows. */
function nextLook(job: FaxJobRow, now: Date): Date {
  const waited = now.getTime() - Date.parse(job.updated_at)
  return new Date(now.getTime() + Math.min(Math.max(waited, firstLookMs), day))
}

/**
 * Finds out what became of an attempt whose end is not known, and never sends blindly: taken, it is followed;
 * certainly not taken, it is made again; otherwise it waits for a person.
 */
export async function reconcile(
  doors: FaxDoors,
  job: FaxJobRow,
  claim: Claim,
  signal: AbortSignal,
): Promise<undefined> {
  const { attempt_id: attemptId } = job
  if (attemptId === null) throw new Error('A fax that was handed over has no attempt.')
  const found = await ask(doors, job, attemptId, signal)
  if (found?.taken) await advance(doors, job.id, { to: 'accepted', attemptId, providerId: found.providerId }, claim)
  else if (found) await advance(doors, job.id, { to: 'not_taken', attemptId }, claim)
  else if (job.phase === 'submitting') {
    const lookAgain = afterUncertain(doors.now())
    await advance(doors, job.id, { to: 'uncertain', attemptId, sentence: notKnown, lookAgain }, claim)
  } else {
    const dueAt = nextLook(job, doors.now())
    await transact(doors.database, (tx) => doors.queue.reschedule(tx, claim, { dueAt, hold: false }))
  }
}
