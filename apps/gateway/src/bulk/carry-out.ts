import type { GatewayContext } from '../context.ts'
import type { BulkActionRow } from '../db/tables/bulk.ts'
import { transact } from '../db/transact.ts'
import { resendFax } from '../faxes/accept/resend.ts'
import { cancelFax } from '../faxes/line/cancel.ts'
import { releaseFax } from '../faxes/move/release.ts'
import { findJob } from '../faxes/read/read-job.ts'
import { Problem } from '../http/answers/problem.ts'
import { type Claim, LeaseLost } from '../queue/queue.ts'
import { findBulk } from './start-bulk.ts'

/** Jobs of a part that are changed at the same time: their transactions share commits. */
const together = 10

/**
 * Whether the action reached this job before the process died, so that its part is done again. For a fax sent again a
 * child says so for good, longer than any idempotency key.
 */
async function isDone({ database }: GatewayContext, bulk: BulkActionRow, id: string): Promise<boolean> {
  const { db } = database
  if (bulk.action === 'resend') {
    const children = db.selectFrom('fax_jobs').select('id').where('parent_id', '=', id)
    return (await children.where('created_at', '>=', bulk.created_at).limit(1).executeTakeFirst()) !== undefined
  }
  const job = await findJob(db, id)
  return bulk.action === 'cancel' ? job?.error_kind === 'cancelled' : job?.hold === null
}

/** @returns why the job was left as it is; null when it was changed */
async function change(context: GatewayContext, bulk: BulkActionRow, id: string): Promise<string | null> {
  if (await isDone(context, bulk, id)) return null
  const { action, key_id: by } = bulk
  try {
    if (action === 'cancel') await cancelFax(context, id, by)
    else if (action === 'release') await releaseFax(context, id, by)
    else {
      const unlessSince = bulk.created_at
      await resendFax(context, id, { callerKeyId: by, idempotencyKey: `bulk ${bulk.id} ${id}`, unlessSince })
    }
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code !== 'number_unlikely') return error.message
    return `${error.fields?.[0]?.message ?? ''} Open the fax and send it again from there.`
  }
}

async function changeAll(context: GatewayContext, bulk: BulkActionRow, ids: readonly string[], signal: AbortSignal) {
  const refusals: string[] = []
  for (let at = 0; at < ids.length; at += together) {
    signal.throwIfAborted()
    const outcomes = await Promise.all(ids.slice(at, at + together).map((id) => change(context, bulk, id)))
    refusals.push(...outcomes.filter((outcome) => outcome !== null))
  }
  return refusals
}

/** Does the next part of a bulk action. @returns when to go on; nothing once it has ended */
export async function carryOut(context: GatewayContext, claim: Claim, signal: AbortSignal): Promise<Date | undefined> {
  const { database, queue, now } = context
  const bulk = await findBulk(context, claim.subjectId)
  const part = await database.db
    .selectFrom('bulk_parts')
    .selectAll()
    .where('bulk_id', '=', claim.subjectId)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst()
  const isOver = !bulk || !part || bulk.finished_at !== null
  const ids = isOver ? [] : part.job_ids.split(',')
  const refusals = isOver ? [] : await changeAll(context, bulk, ids, signal)
  const at = now().toISOString()
  return transact(database, async (tx) => {
    if (!(await queue.held(tx, [claim])).has(claim)) throw new LeaseLost(claim)
    const parts = tx.deleteFrom('bulk_parts').where('bulk_id', '=', claim.subjectId)
    if (isOver) {
      await parts.execute()
      await tx
        .updateTable('bulk_actions')
        .set({ finished_at: at })
        .where('id', '=', claim.subjectId)
        .where('finished_at', 'is', null)
        .execute()
      await queue.complete(tx, claim)
      return undefined
    }
    await parts.where('n', '=', part.n).execute()
    await tx
      .updateTable('bulk_actions')
      .set((eb) => ({
        done: eb('done', '+', ids.length - refusals.length),
        refused: eb('refused', '+', refusals.length),
        refusal: bulk.refusal ?? refusals[0] ?? null,
      }))
      .where('id', '=', bulk.id)
      .execute()
    return now()
  })
}
