import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Claim } from '../../base/queue/queue.ts'
import { advance } from '../move/advance.ts'
import { askToCancel } from './cancel.ts'
import type { GatewayContext } from '../../base/context.ts'
import { poll } from './poll.ts'
import { reconcile } from './reconcile.ts'

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
  const attempts = context.database.db.selectFrom('fax_attempts').selectAll()
  const attempt = await attempts.where('id', '=', job.attempt_id ?? '').executeTakeFirstOrThrow()
  if (attempt.state === 'ended') {
    await transact(context.database, (tx) => context.queue.complete(tx, claim))
    return undefined
  }
  const open = asOpen(job, attempt)
  if (attempt.state !== 'accepted') return reconcile(context, open, claim, signal)
  if (!(await isCanceled(context, open))) return poll(context, open, signal)
  const sentence = 'Canceled at the provider because another attempt was delivered.'
  await advance(context, job.id, { to: 'failed', attemptId: attempt.id, kind: 'cancelled', sentence })
  return undefined
}
