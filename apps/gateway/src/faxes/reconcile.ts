import type { Line } from '@faxdeck/provider-kit'
import type { FaxAttemptRow, FaxJobRow } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../http/problem.ts'
import type { Claim } from '../queue/queue.ts'
import { elsewhereSentence, isElsewhere } from './account.ts'
import { advance } from './advance.ts'
import { askLine, notBeforeQuiet } from './ask-line.ts'
import { withdrawDocumentLink } from './document-link.ts'
import type { FaxDoors } from './doors.ts'
import { handedOver, keepOverBy } from './handed-over.ts'
import { liveAttempt } from './read-job.ts'

const day = 24 * 3_600_000
const firstLookMs = 5000
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

type Found = Awaited<ReturnType<NonNullable<Line['find']>>>

/** Asks the provider whether it took the attempt; undefined when it cannot say. */
async function findAttempt(doors: FaxDoors, job: FaxJobRow, attempt: FaxAttemptRow, signal: AbortSignal) {
  const find = lineOf(doors, attempt.provider)?.find
  if (!find) return undefined
  return askLine(doors, attempt.provider, signal, async (patience) => {
    const asked = performance.now()
    try {
      return await find(attempt.id, patience, handedOver(doors, attempt, job.to_number))
    } finally {
      await keepOverBy(doors, attempt, performance.now() - asked)
    }
  })
}

/** Whether the provider took the attempt: by its own word, or because its document cannot be had any more. */
async function ask(doors: FaxDoors, job: FaxJobRow, attempt: FaxAttemptRow, signal: AbortSignal) {
  const account = doors.providers.account(attempt.provider)
  const found: Found | undefined = isElsewhere(doors, attempt)
    ? undefined
    : await findAttempt(doors, job, attempt, signal)
  // What an unknown account does not list, or what was accepted before, proves nothing.
  const proves = found?.taken === true || (attempt.account === account && attempt.provider_id === null)
  if (found && proves) return found
  return (await withdrawDocumentLink(doors.database, attempt.id)) ? ({ taken: false } as const) : undefined
}

/** Asks once what became of an attempt that nobody looks after just now, and records a certain answer. */
export async function reconcileNow(doors: FaxDoors, job: FaxJobRow, signal: AbortSignal): Promise<void> {
  if (job.attempt_id === null) return
  const attempt = await liveAttempt(doors, job)
  const found = await ask(doors, job, attempt, signal)
  const attemptId = attempt.id
  if (found?.taken) await advance(doors, job.id, { to: 'accepted', attemptId, providerId: found.providerId })
  else if (found) await advance(doors, job.id, { to: 'not_taken', attemptId })
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
  const attempt = await liveAttempt(doors, job)
  const attemptId = attempt.id
  const found = await ask(doors, job, attempt, signal)
  const planned = job.phase === 'submitting' ? afterUncertain(doors.now()) : nextLook(job, doors.now())
  const lookAgain = notBeforeQuiet(doors, attempt.provider, planned)
  const elsewhere = elsewhereSentence(doors, attempt)
  // Where the account is the one in use again, it is no reason any more.
  const reason = isElsewhere(doors, attempt) ? elsewhere : job.error === elsewhere ? notKnown : job.error
  if (found?.taken) await advance(doors, job.id, { to: 'accepted', attemptId, providerId: found.providerId }, claim)
  else if (found) await advance(doors, job.id, { to: 'not_taken', attemptId }, claim)
  else if (job.phase === 'submitting' || reason !== job.error) {
    await advance(doors, job.id, { to: 'uncertain', attemptId, sentence: reason ?? notKnown, lookAgain }, claim)
  } else {
    await transact(doors.database, (tx) => doors.queue.reschedule(tx, claim, { dueAt: lookAgain, hold: false }))
  }
}
