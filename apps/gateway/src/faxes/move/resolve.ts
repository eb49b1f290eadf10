import { hash } from 'node:crypto'
import { transact } from '../../db/transact.ts'
import { Problem } from '../../http/answers/problem.ts'
import { bindCall, checkIdempotencyKey, findBinding, type KeyedCall } from '../accept/idempotency.ts'
import { advance } from './advance.ts'
import type { GatewayContext } from '../../context.ts'
import { requireJob } from '../read/read-job.ts'

type Outcome = 'delivered' | 'failed' | 'send_again'

/** What a person decides. `attempt`: the number of the attempt that they saw; a later one is not meant. */
interface Decision {
  outcome: Outcome
  attempt?: number | undefined
}

/**
 * A person decides what became of an uncertain fax, or has seen that one may have been delivered twice or in part.
 *
 * A key is bound to the attempt that its first call decided about, before that is done: a repeated call never decides
 * about the attempt that follows.
 * @returns whether the call repeats one that is done
 * @throws {Problem} `conflict` when the fax is not uncertain, or not after this attempt; `idempotency_conflict`
 */
export async function resolveFax(
  context: GatewayContext,
  id: string,
  decision: Decision,
  call: KeyedCall,
): Promise<{ replayed: boolean }> {
  checkIdempotencyKey(call.idempotencyKey)
  const { attempt_id: latest, phase } = await requireJob(context, id)
  if (latest === null) throw notUncertain()
  const meant = await bindAttempt(context, id, decision, call, latest)
  const { outcome } = decision
  const move = { to: 'resolved', attemptId: meant.attemptId, outcome, by: call.callerKeyId } as const
  const moved = await advance(context, id, move)
  if (moved?.verdict === 'applies') return { replayed: false }
  if (meant.wasBound) return { replayed: true }
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
  throw notUncertain()
}

/** The attempt that a call decides about: the one of the first call with its key, otherwise the latest. */
async function bindAttempt(
  context: GatewayContext,
  id: string,
  { outcome, attempt }: Decision,
  call: KeyedCall,
  latest: string,
): Promise<{ attemptId: string; wasBound: boolean }> {
  const now = context.now()
  const fingerprint = hash('sha256', `resolve\0${id}\0${outcome}\0${attempt ?? ''}`)
  const bound = await findBinding(context, call, now)
  if (!bound && attempt !== undefined) await requireAttempt(context, latest, attempt)
  const { name } = await transact(context.database, (tx) => bindCall(tx, call, fingerprint, now, latest))
  return { attemptId: name, wasBound: bound !== undefined }
}

async function requireAttempt({ database: { db } }: GatewayContext, latest: string, number: number): Promise<void> {
  const row = await db.selectFrom('fax_attempts').select('number').where('id', '=', latest).executeTakeFirst()
  if (row?.number === number) return
  throw new Problem('conflict', 'The fax has been tried again since. Look at its latest attempt before you decide.')
}

const notUncertain = () => new Problem('conflict', 'Only a fax with an unknown outcome can be resolved.')
