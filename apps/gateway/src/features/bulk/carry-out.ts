import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import { insertAll } from '../../base/db/insert-all.ts'
import type { BulkActionRow, BulkPartRow } from '../../base/db/tables/bulk.ts'
import { transact } from '../../base/db/transact.ts'
import { resendFax } from '../../fax/accept/resend.ts'
import { cancelFax } from '../../fax/line/cancel.ts'
import { releaseFax } from '../../fax/move/release.ts'
import { findJob } from '../../fax/facts/find-job.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Claim } from '../../base/queue/queue.ts'
import { findBulk, isForced } from './start-bulk.ts'

/** Jobs that are changed at the same time: their transactions share commits. */
const together = 10
const atOnce = 100

/** The action was stopped, or another worker was faster: this job is no longer its concern. */
class PartGone extends Error {
  override name = 'PartGone'
}

/** Takes jobs off the action's list. @returns whether they were still on it */
async function take(tx: Tx, { bulk_id: id, n }: BulkPartRow): Promise<boolean> {
  const taken = await tx.deleteFrom('bulk_parts').where('bulk_id', '=', id).where('n', '=', n).executeTakeFirst()
  return taken.numDeletedRows > 0n
}

async function countDone(tx: Tx, { bulk_id: id }: BulkPartRow): Promise<void> {
  const count = tx.updateTable('bulk_actions').set((eb) => ({ done: eb('done', '+', 1) }))
  await count.where('id', '=', id).execute()
}

async function countRefused(tx: Tx, { bulk_id: id }: BulkPartRow, reason: string): Promise<void> {
  const count = tx.updateTable('bulk_actions').set((eb) => ({
    refused: eb('refused', '+', 1),
    refusal: eb.fn.coalesce('refusal', eb.val(reason)),
  }))
  await count.where('id', '=', id).execute()
}

/** Whether the job is as the action wants it: somebody else, or another action, was faster. */
async function isDone({ database }: GatewayContext, bulk: BulkActionRow, id: string): Promise<boolean> {
  const { db } = database
  if (bulk.action === 'resend') {
    const children = db.selectFrom('fax_jobs').select('id').where('parent_id', '=', id)
    return (await children.where('created_at', '>=', bulk.created_at).limit(1).executeTakeFirst()) !== undefined
  }
  const job = await findJob(db, id)
  return bulk.action === 'cancel' ? job?.error_kind === 'cancelled' : job?.hold === null
}

/** A number that most likely does not exist is asked about where its fax is shown. */
const reasonOf = ({ code, message, fields }: Problem): string =>
  code === 'number_unlikely' ? `${fields?.[0]?.message ?? ''} Open the fax and send it again from there.` : message

/**
 * Changes one job. It is counted in the transaction that changes it, which is refused once the action was stopped. What
 * a provider has canceled is not refused: it has happened.
 */
async function change(context: GatewayContext, bulk: BulkActionRow, part: BulkPartRow): Promise<void> {
  const { database } = context
  const { action, key_id: by } = bulk
  const id = part.job_ids
  const within = async (tx: Tx) => {
    if (!(await take(tx, part)) && action !== 'cancel') return new PartGone()
    await countDone(tx, part)
    return undefined
  }
  try {
    if (await isDone(context, bulk, id)) {
      await transact(database, async (tx) => {
        if (await take(tx, part)) await countDone(tx, part)
      })
    } else if (action === 'cancel') await cancelFax(context, id, by, within)
    else if (action === 'release') await releaseFax(context, id, by, within)
    else {
      const call = { callerKeyId: by, idempotencyKey: undefined, unlessSince: bulk.created_at, within }
      await resendFax(context, id, call, { force: isForced(bulk) })
    }
  } catch (error) {
    if (error instanceof PartGone) return
    if (!(error instanceof Problem)) throw error
    await transact(database, async (tx) => {
      if (await take(tx, part)) await countRefused(tx, part, reasonOf(error))
    })
  }
}

/** Parts of earlier versions hold several jobs: each gets a row of its own. */
async function divide({ database }: GatewayContext, part: BulkPartRow): Promise<void> {
  const { bulk_id, n } = part
  await transact(database, async (tx) => {
    if (!(await take(tx, part))) return
    const rows = part.job_ids.split(',').map((job, at) => ({ bulk_id, n: n * 1000 + at, job_ids: job }))
    await insertAll(tx, 'bulk_parts', rows)
  })
}

/** Changes the next jobs of a bulk action. @returns when to go on; nothing once it has ended */
export async function carryOut(context: GatewayContext, claim: Claim, signal: AbortSignal): Promise<Date | undefined> {
  const { database, queue, now } = context
  const { subjectId: id } = claim
  const bulk = await findBulk(context, id)
  const left = database.db.selectFrom('bulk_parts').selectAll().where('bulk_id', '=', id)
  const parts = bulk ? await left.orderBy('n').limit(atOnce).execute() : []
  const earlier = parts.find(({ job_ids: jobs }) => jobs.includes(','))
  if (earlier) await divide(context, earlier)
  else if (bulk) {
    for (let at = 0; at < parts.length; at += together) {
      signal.throwIfAborted()
      await Promise.all(parts.slice(at, at + together).map((part) => change(context, bulk, part)))
    }
  }
  if (parts.length > 0) return now()
  await transact(database, async (tx) => {
    const unfinished = tx.updateTable('bulk_actions').where('id', '=', id).where('finished_at', 'is', null)
    await unfinished.set({ finished_at: now().toISOString() }).execute()
    await queue.complete(tx, claim)
  })
  return undefined
}
