import type { GatewayContext } from '../../base/context.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isHeld } from '../move/hold.ts'
import { lookUpHeld } from './look-up-held.ts'
import { askProvider } from './poll.ts'
import { requireJob } from '../facts/find-job.ts'
import { reconcileNow } from './reconcile.ts'

const refreshTimeoutMs = 15_000

/**
 * Asks the provider for the state of a fax now, where there is something to ask and somebody who can be asked.
 * @throws {Problem} `provider_unavailable` when it takes too long
 */
export async function refreshFax(context: GatewayContext, id: string): Promise<void> {
  const job = await requireJob(context, id)
  const signal = AbortSignal.timeout(refreshTimeoutMs)
  try {
    if (isHeld(job)) await lookUpHeld(context, signal, id)
    if (job.phase === 'accepted') await askProvider(context, job, signal)
    if (job.phase === 'uncertain') await reconcileNow(context, job, signal)
  } catch (error) {
    if (error !== signal.reason) throw error
    throw new Problem('provider_unavailable', 'The provider did not answer in 15 seconds. Try again shortly.')
  }
}
