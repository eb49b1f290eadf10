import { Problem } from '../../http/answers/problem.ts'
import { advance } from './advance.ts'
import type { GatewayContext } from '../../context.ts'
import { requireJob } from '../read/read-job.ts'

/** A person decides what became of an uncertain fax, or has seen that one may have been delivered twice or in part. @throws {Problem} `conflict` when it is not uncertain */
export async function resolveFax(
  context: GatewayContext,
  id: string,
  outcome: 'delivered' | 'failed' | 'send_again',
  by: string,
): Promise<void> {
  const { attempt_id: attemptId, phase } = await requireJob(context, id)
  const moved = attemptId === null ? undefined : await advance(context, id, { to: 'resolved', attemptId, outcome, by })
  if (moved?.verdict === 'applies') return
  if (phase === 'partial') {
    throw new Problem('conflict', 'The call is over. To send the whole fax, send it again.')
  }
  if (phase === 'duplicate') {
    const sentence =
      outcome === 'delivered'
        ? 'The other attempt is being sent to the provider right now. Try again in a moment.'
        : 'This fax was delivered. Choose "delivered" to confirm that you have seen it.'
    throw new Problem('conflict', sentence)
  }
  throw new Problem('conflict', 'Only a fax with an unknown outcome can be resolved.')
}
