import { hash } from 'node:crypto'
import type { Tx } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { bindCall, checkIdempotencyKey, findBinding, type KeyedCall } from '../facts/idempotency.ts'
import { advance } from './advance.ts'
import { judge, type Phase } from './move.ts'
import type { GatewayContext } from '../../base/context.ts'
import { requireJob } from '../facts/find-job.ts'

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
  const { attempt_id: latest } = await requireJob(context, id)
  if (latest === null) throw notUncertain()
  const meant = await bindAttempt(context, id, decision, call, latest)
  const { outcome } = decision
  const moved = await advance(context, id, {
    to: 'resolved',
    attemptId: meant.attemptId,
    outcome,
    by: call.callerKeyId,
  })
  if (moved?.verdict === 'applies') return { replayed: false }
  if (meant.wasBound) return { replayed: true }
  throw refusalOf(moved?.job.phase, outcome)
}

function refusalOf(phase: Phase | undefined, outcome: Outcome): Problem {
  if (phase === 'partial') return new Problem('conflict', 'The call is over. To send the whole fax, send it again.')
  if (phase !== 'duplicate' && phase !== 'incomplete') return notUncertain()
  const sentence =
    outcome === 'delivered' && phase === 'duplicate'
      ? 'The other attempt is being sent to the provider right now. Try again in a moment.'
      : 'This fax was delivered. Choose "delivered" to confirm that you have seen it.'
  return new Problem('conflict', sentence)
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
  const { name } = await transact(context.database, async (tx) => {
    // A decision that is refused leaves its key free: repeated, it is refused again.
    if (!bound) await requireOpen(tx, id, latest, outcome)
    return bindCall(tx, call, fingerprint, now, latest)
  })
  return { attemptId: name, wasBound: bound !== undefined }
}

async function requireAttempt({ database: { db } }: GatewayContext, latest: string, number: number): Promise<void> {
  const row = await db.selectFrom('fax_attempts').select('number').where('id', '=', latest).executeTakeFirst()
  if (row?.number === number) return
  throw new Problem('conflict', 'The fax has been tried again since. Look at its latest attempt before you decide.')
}

async function requireOpen(tx: Tx, id: string, attemptId: string, outcome: Outcome): Promise<void> {
  const job = await tx.selectFrom('fax_jobs').selectAll().where('id', '=', id).executeTakeFirst()
  const attempt = await tx.selectFrom('fax_attempts').selectAll().where('id', '=', attemptId).executeTakeFirst()
  const isOpen = job && judge(job, attempt, { to: 'resolved', attemptId, outcome, by: '' }) === 'applies'
  if (!isOpen) throw refusalOf(job?.phase, outcome)
}

const notUncertain = () => new Problem('conflict', 'Only a fax with an unknown outcome can be resolved.')
