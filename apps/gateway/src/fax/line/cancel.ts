import { ProviderProblem } from '@faxdeck/provider-kit'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isElsewhere, outOfReachSentence } from './account.ts'
import { advance, type Within } from '../move/advance.ts'
import { whileCanceling } from './canceling.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { FailedMove } from '../move/move.ts'
import { liveAttempt, requireJob } from '../facts/find-job.ts'
import { lineOf } from './ask-line.ts'

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
export async function askToCancel(
  context: GatewayContext,
  { backend }: FaxJobRow,
  providerId: string,
): Promise<boolean> {
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
