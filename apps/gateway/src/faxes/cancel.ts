import { ProviderProblem } from '@faxdeck/provider-kit'
import type { FaxJobRow } from '../db/tables.ts'
import { Problem } from '../http/problem.ts'
import { isElsewhere, outOfReachSentence } from './account.ts'
import { advance } from './advance.ts'
import { whileCancelling } from './cancelling.ts'
import type { FaxDoors } from './doors.ts'
import type { FailedMove } from './move.ts'
import { liveAttempt, requireJob } from './read-job.ts'
import { lineOf } from './reconcile.ts'

const cancelTimeoutMs = 30_000

const reasons: Partial<Record<FaxJobRow['phase'], string>> = {
  submitting: 'The fax is being handed to the provider just now. Try again in a moment.',
  accepted: 'The provider has taken the fax and cannot call it back.',
  uncertain: 'Whether the provider took the fax is not known. Decide what became of it instead.',
  delivered: 'The fax has been delivered.',
  duplicate: 'The fax has been delivered.',
  failed: 'The fax has already ended.',
}

/** Asks the provider to call the fax back. @throws {Problem} `provider_unavailable` when it gives no answer */
export async function askToCancel(doors: FaxDoors, { backend }: FaxJobRow, providerId: string): Promise<boolean> {
  try {
    return (await lineOf(doors, backend)?.cancel?.(providerId, AbortSignal.timeout(cancelTimeoutMs))) ?? false
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    if (!(error instanceof ProviderProblem) && !isLate) throw error
    const name = doors.providers.find(backend)?.name ?? backend
    const reason = isLate ? `${name} gave no answer.` : error.message
    const sentence = `The fax may still go out, because ${name} could not be asked to stop it. ${reason} Try again shortly.`
    throw new Problem('provider_unavailable', sentence)
  }
}

const isWaiting = ({ phase }: FaxJobRow) => ['queued', 'preparing', 'waiting_retry'].includes(phase)

/** How to stop the fax where it stands; undefined when it cannot be. */
async function stop(doors: FaxDoors, job: FaxJobRow, by: string): Promise<FailedMove | undefined> {
  const cancelled = { to: 'failed', kind: 'cancelled', by } as const
  if (isWaiting(job)) {
    return { ...cancelled, sentence: 'Cancelled before it was sent.' }
  }
  const { attempt_id: attemptId, provider_id: providerId } = job
  if (job.phase !== 'accepted' || attemptId === null || providerId === null) return undefined
  const attempt = await liveAttempt(doors, job)
  if (isElsewhere(doors, attempt)) throw new Problem('conflict', outOfReachSentence(doors, attempt))
  const promised = await whileCancelling(doors, attemptId, () => askToCancel(doors, job, providerId))
  return promised ? { ...cancelled, attemptId, sentence: 'Cancelled at the provider before it went out.' } : undefined
}

async function tryToStop(doors: FaxDoors, job: FaxJobRow, by: string): Promise<boolean> {
  const move = await stop(doors, job, by)
  const moved = move && (await advance(doors, job.id, move))
  return moved !== undefined && moved.verdict !== 'refused'
}

/** Stops a fax that has not gone out. @throws {Problem} `conflict` or `provider_unavailable`, saying why it cannot be stopped */
export async function cancelFax(doors: FaxDoors, id: string, by: string): Promise<void> {
  const isStopped = await tryToStop(doors, await requireJob(doors, id), by)
  // Its call may have ended by itself meanwhile, and the next one is not wanted either.
  const job = await requireJob(doors, id)
  if (isWaiting(job) ? await tryToStop(doors, job, by) : isStopped) return
  throw new Problem('conflict', reasons[job.phase] ?? 'The fax moved on meanwhile. Look at it again.')
}
