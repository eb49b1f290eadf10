import { ProviderProblem } from '@faxdeck/provider-kit'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Claim } from '../../base/queue/queue.ts'
import { advance, type Within } from '../move/advance.ts'
import { whileCanceling } from './canceling.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { FailedMove } from '../move/move.ts'
import { liveAttempt, requireJob } from '../facts/find-job.ts'
import { isElsewhere, lineOf, outOfReachSentence } from './ask-line.ts'
import { poll } from './poll.ts'
import { reconcile } from './reconcile.ts'

const cancelTimeoutMs = 30_000
const changed = 'The fax changed in the meantime. Refresh and try again.'

/** Why a fax in each phase cannot be canceled; one that waits can be, unless it has just changed. */
const reasons: Record<FaxJobRow['phase'], string> = {
  queued: changed,
  preparing: changed,
  waiting_retry: changed,
  submitting: 'The fax is being sent to the provider right now. Try again in a moment.',
  accepted: 'The provider has accepted the fax and can’t cancel it.',
  uncertain: 'It’s unknown whether the provider accepted the fax. Resolve it instead.',
  delivered: 'The fax has been delivered.',
  duplicate: 'The fax has been delivered.',
  incomplete: 'The fax has been delivered.',
  failed: 'The fax has already ended.',
  partial:
    'Part of the fax has been delivered, and nothing more is being sent. Resend it if the recipient needs every page.',
}

/** Asks the provider to call the fax back. @throws {Problem} `provider_unavailable` when it does not answer */
async function askToCancel(context: GatewayContext, { backend }: FaxJobRow, providerId: string): Promise<boolean> {
  try {
    return (await lineOf(context, backend)?.cancel?.(providerId, AbortSignal.timeout(cancelTimeoutMs))) ?? false
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    if (!(error instanceof ProviderProblem) && !isLate) throw error
    const name = context.providers.find(backend)?.name ?? backend
    const reason = isLate ? `${name} did not respond.` : error.message
    const sentence = `The fax may still go out, because ${name} could not be asked to stop it. ${reason} Try again shortly.`
    throw new Problem('provider_unavailable', sentence)
  }
}

const isWaiting = ({ phase }: FaxJobRow) => ['queued', 'preparing', 'waiting_retry'].includes(phase)

async function stop(context: GatewayContext, job: FaxJobRow, by: string): Promise<FailedMove | undefined> {
  const cancelled = { to: 'failed', kind: 'cancelled', by } as const
  if (isWaiting(job)) {
    return { ...cancelled, sentence: 'Canceled before it was sent.' }
  }
  const { attempt_id: attemptId, provider_id: providerId } = job
  if (job.phase !== 'accepted' || attemptId === null || providerId === null) return undefined
  const attempt = await liveAttempt(context, job)
  if (isElsewhere(context, attempt)) throw new Problem('conflict', outOfReachSentence(context, attempt))
  const promised = await whileCanceling(context, attemptId, () => askToCancel(context, job, providerId))
  return promised ? { ...cancelled, attemptId, sentence: 'Canceled at the provider before it went out.' } : undefined
}

async function tryToStop(context: GatewayContext, job: FaxJobRow, by: string, within?: Within): Promise<boolean> {
  const move = await stop(context, job, by)
  const moved = move && (await advance(context, job.id, move, undefined, within))
  return moved !== undefined && moved.verdict !== 'refused'
}

/** Stops a fax that has not gone out. @throws {Problem} `conflict` or `provider_unavailable`, saying why it cannot be stopped */
export async function cancelFax(context: GatewayContext, id: string, by: string, within?: Within): Promise<void> {
  const isStopped = await tryToStop(context, await requireJob(context, id), by, within)
  // Its call may have ended by itself meanwhile, and the next one is not wanted either.
  const job = await requireJob(context, id)
  if (isWaiting(job) ? await tryToStop(context, job, by, within) : isStopped) return
  throw new Problem('conflict', reasons[job.phase])
}

/** The fax as its open attempt has it, which may be with another provider than the one that delivered it. */
function asOpen(job: FaxJobRow, { state, provider, provider_id }: FaxAttemptRow): FaxJobRow {
  return state === 'ended' ? job : { ...job, phase: state, backend: provider, provider_id }
}

/** Whether the provider promises that the attempt does not go out. One that gives no answer is asked again later. */
async function isCanceled(context: GatewayContext, open: FaxJobRow): Promise<boolean> {
  if (open.provider_id === null) return false
  try {
    return await askToCancel(context, open, open.provider_id)
  } catch (error) {
    if (error instanceof Problem && error.code === 'provider_unavailable') return false
    throw error
  }
}

/**
 * Works on an attempt that is still open although the fax was delivered by another one: finds out whether its provider
 * took it, asks the provider to cancel it, and follows it until it has ended.
 */
export async function callOff(
  context: GatewayContext,
  job: FaxJobRow,
  claim: Claim,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const attempt = await liveAttempt(context, job)
  if (attempt.state === 'ended') {
    await transact(context.database, (tx) => context.queue.complete(tx, claim))
    return undefined
  }
  const open = asOpen(job, attempt)
  if (attempt.state !== 'accepted') return reconcile(context, open, claim, signal)
  if (!(await isCanceled(context, open))) return poll(context, open, claim, signal)
  const sentence = 'Canceled at the provider because another attempt was delivered.'
  await advance(context, job.id, { to: 'failed', attemptId: attempt.id, kind: 'cancelled', sentence })
  return undefined
}
