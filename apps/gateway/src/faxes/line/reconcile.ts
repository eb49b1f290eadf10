import type { Line } from '@faxdeck/provider-kit'
import type { FaxAttemptRow, FaxJobRow } from '../../db/tables/tables.ts'
import { transact } from '../../db/transact.ts'
import type { Claim } from '../../queue/queue.ts'
import { elsewhereSentence, isElsewhere } from './account.ts'
import { advance } from '../move/advance.ts'
import { askLine, lineOf, notBeforeQuiet } from './ask-line.ts'
import { afterUncertain, firstLookMs } from './pauses.ts'
import { withdrawDocumentLink } from './document-link.ts'
import type { GatewayContext } from '../../context.ts'
import { handedOver, keepOverBy } from './uncertain-attempt.ts'
import { liveAttempt } from '../read/read-job.ts'

const day = 24 * 3_600_000
const notKnown = 'The gateway stopped while sending. The provider may or may not have accepted the fax.'

type Found = Awaited<ReturnType<NonNullable<Line['find']>>>

/** Asks the provider whether it took the attempt; undefined when it cannot say. */
async function findAttempt(context: GatewayContext, job: FaxJobRow, attempt: FaxAttemptRow, signal: AbortSignal) {
  const find = lineOf(context, attempt.provider)?.find
  if (!find) return undefined
  return askLine(context, attempt.provider, signal, async (patience) => {
    const asked = performance.now()
    try {
      return await find(attempt.id, patience, handedOver(context, attempt, job.to_number))
    } finally {
      await keepOverBy(context, attempt, performance.now() - asked)
    }
  })
}

/** Whether the provider took the attempt: by its own word, or because its document cannot be had any more. */
async function ask(context: GatewayContext, job: FaxJobRow, attempt: FaxAttemptRow, signal: AbortSignal) {
  const account = context.providers.account(attempt.provider)
  const found: Found | undefined = isElsewhere(context, attempt)
    ? undefined
    : await findAttempt(context, job, attempt, signal)
  // What an unknown account does not list, or what was accepted before, proves nothing.
  const proves = found?.taken === true || (attempt.account === account && attempt.provider_id === null)
  if (found && proves) return found
  return (await withdrawDocumentLink(context.database, attempt.id)) ? ({ taken: false } as const) : undefined
}

/** Asks once what became of an attempt that nobody looks after just now, and records a certain answer. */
export async function reconcileNow(context: GatewayContext, job: FaxJobRow, signal: AbortSignal): Promise<void> {
  if (job.attempt_id === null) return
  const attempt = await liveAttempt(context, job)
  const found = await ask(context, job, attempt, signal)
  const attemptId = attempt.id
  if (found?.taken) await advance(context, job.id, { to: 'accepted', attemptId, providerId: found.providerId })
  else if (found) await advance(context, job.id, { to: 'not_taken', attemptId })
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
  context: GatewayContext,
  job: FaxJobRow,
  claim: Claim,
  signal: AbortSignal,
): Promise<undefined> {
  const attempt = await liveAttempt(context, job)
  const attemptId = attempt.id
  const found = await ask(context, job, attempt, signal)
  const planned = job.phase === 'submitting' ? afterUncertain(context.now()) : nextLook(job, context.now())
  const lookAgain = notBeforeQuiet(context, attempt.provider, planned)
  const elsewhere = elsewhereSentence(context, attempt)
  // Where the account is the one in use again, it is no reason any more.
  const reason = isElsewhere(context, attempt) ? elsewhere : job.error === elsewhere ? notKnown : job.error
  if (found?.taken) await advance(context, job.id, { to: 'accepted', attemptId, providerId: found.providerId }, claim)
  else if (found) await advance(context, job.id, { to: 'not_taken', attemptId }, claim)
  else if (job.phase === 'submitting' || reason !== job.error) {
    await advance(context, job.id, { to: 'uncertain', attemptId, sentence: reason ?? notKnown, lookAgain }, claim)
  } else {
    await transact(context.database, (tx) => context.queue.reschedule(tx, claim, { dueAt: lookAgain, hold: false }))
  }
}
