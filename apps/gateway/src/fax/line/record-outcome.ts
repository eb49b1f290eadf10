import { plainText, plainUpdate, type SendReceipt } from '@faxdeck/provider-kit'
import type { GatewayContext } from '../../base/context.ts'
import { untilBack } from '../../base/db/outage.ts'
import { advance } from '../move/advance.ts'
import { holdForgotten } from '../move/hold-unfinished.ts'
import type { Move } from '../move/move.ts'
import { readAttempt } from '../facts/find-job.ts'
import { doubtIn } from './doubt.ts'
import { afterUncertain } from '../facts/pauses.ts'
import { report } from './report.ts'

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

/**
 * Records what a provider answered to a submission; it says it once. An answer about another fax leaves it unknown
 * whether the attempt was taken.
 */
export async function recordReceipt(
  context: GatewayContext,
  jobId: string,
  attemptId: string,
  { providerId: given, update }: SendReceipt,
): Promise<void> {
  const providerId = plainText(given)
  const said = plainUpdate({ state: 'queued', ...update, providerId })
  const doubt = await untilBack(async () => {
    const attempt = await readAttempt(context, attemptId)
    return attempt && doubtIn(context, attempt, said)
  })
  if (doubt !== undefined) {
    const lookAgain = afterUncertain(context.now())
    await recordOutcome(context, jobId, { to: 'uncertain', attemptId, sentence: doubt, lookAgain })
    return
  }
  await recordOutcome(context, jobId, { to: 'accepted', attemptId, providerId, word: said.word, isTest: said.isTest })
  if (update?.state !== 'delivered' && update?.state !== 'failed') return
  await untilBack(async () => {
    const attempt = await readAttempt(context, attemptId)
    if (attempt) await report(context, attempt.provider, said, { attemptId })
  })
}
