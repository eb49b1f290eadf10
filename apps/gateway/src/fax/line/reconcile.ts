import type { Line } from '@faxdeck/provider-kit'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import type { Claim } from '../../base/queue/queue.ts'
import { elsewhereSentence, isElsewhere } from './ask-line.ts'
import { advance } from '../move/advance.ts'
import { askLine, lineOf, notBeforeQuiet } from './ask-line.ts'
import { afterUncertain, doubled, firstLookMs } from '../facts/pauses.ts'
import { withdrawDocumentLink } from '../facts/document-link.ts'
import { doubtIn, findReported } from './doubt.ts'
import { report } from './report.ts'
import type { GatewayContext } from '../../base/context.ts'
import { handedOver, keepOverBy } from './uncertain-attempt.ts'
import { liveAttempt } from '../facts/find-job.ts'

const day = 24 * 3_600_000
const notKnown = 'The gateway stopped while sending. The provider may or may not have accepted the fax.'

type Found = Awaited<ReturnType<NonNullable<Line['find']>>>
/** `followed`: what the provider said of its own fax has moved ours, which plans what comes next. */
type Answer = Found | 'followed' | undefined

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

/** Asks by the id that the provider has given. @returns whether the answer moved the fax; undefined without an answer */
async function follow(context: GatewayContext, job: FaxJobRow, attempt: FaxAttemptRow, signal: AbortSignal) {
  const id = attempt.provider_id
  const status = lineOf(context, attempt.provider)?.status
  if (id === null || !status) return undefined
  const update = await askLine(context, attempt.provider, signal, (patience) => status(id, patience))
  if (!update) return undefined
  await report(context, attempt.provider, update, { attemptId: attempt.id })
  const now = await liveAttempt(context, job)
  return now.state !== attempt.state || now.sentence !== attempt.sentence
}

/**
 * Asks for the attempt by what the provider lists. What an account that is not known does not list, or what was accepted
 * before, proves nothing.
 */
async function look(context: GatewayContext, job: FaxJobRow, attempt: FaxAttemptRow, signal: AbortSignal) {
  const found = await findAttempt(context, job, attempt, signal)
  const isSame = attempt.account === context.providers.account(attempt.provider)
  if (!found?.taken) return isSame && attempt.provider_id === null ? found : undefined
  const { providerId, update } = found
  const { id: attemptId, provider } = attempt
  const named = await findReported(context, { provider, attemptId, providerId })
  return named && doubtIn(context, named, { state: 'queued', ...update, providerId }) === undefined ? found : undefined
}

/**
 * Whether the provider took the attempt. A document that cannot be had any more outranks whatever it lists: what its
 * list shows is then somebody else's fax.
 */
async function ask(
  context: GatewayContext,
  job: FaxJobRow,
  attempt: FaxAttemptRow,
  signal: AbortSignal,
): Promise<Answer> {
  const elsewhere = isElsewhere(context, attempt)
  const moved = elsewhere ? undefined : await follow(context, job, attempt, signal)
  if (moved) return 'followed'
  if (await withdrawDocumentLink(context.database, attempt.id)) return { taken: false }
  return elsewhere || moved === false ? undefined : look(context, job, attempt, signal)
}

/** Asks once what became of an attempt that nobody looks after just now, and records a certain answer. */
export async function reconcileNow(context: GatewayContext, job: FaxJobRow, signal: AbortSignal): Promise<void> {
  if (job.attempt_id === null) return
  const attempt = await liveAttempt(context, job)
  const found = await ask(context, job, attempt, signal)
  const attemptId = attempt.id
  if (found === 'followed') return
  if (found?.taken) await advance(context, job.id, { to: 'accepted', attemptId, providerId: found.providerId })
  else if (found) await advance(context, job.id, { to: 'not_taken', attemptId })
}

/** Longer and longer pauses for a day, then once a day: by then a person knows. */
const nextLook = ({ putOffMs }: Claim, now: Date): Date => new Date(now.getTime() + doubled(putOffMs, firstLookMs, day))

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
  if (found === 'followed') return
  const planned = job.phase === 'submitting' ? afterUncertain(context.now()) : nextLook(claim, context.now())
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
