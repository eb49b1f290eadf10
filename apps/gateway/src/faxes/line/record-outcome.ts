import type { GatewayContext } from '../../context.ts'
import { untilBack } from '../../db/outage.ts'
import { advance } from '../move/advance.ts'
import { holdForgotten } from '../move/hold-unfinished.ts'
import type { Move } from '../move/move.ts'

/**
 * Records that a provider has taken an attempt, or may have. A database that has lost the attempt, as one does that
 * failed over to a standby which lagged behind, would have the fax sent again: it is held instead.
 */
export async function recordOutcome(
  context: GatewayContext,
  jobId: string,
  move: Extract<Move, { to: 'accepted' | 'uncertain' }>,
): Promise<void> {
  const moved = await untilBack(() => advance(context, jobId, move))
  // Of an attempt that is known, either is news or a repeat.
  if (moved?.verdict !== 'refused') return
  await untilBack(() => holdForgotten(context, jobId, context.now()))
}
