import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { BroadcastRow } from '../../base/db/tables/broadcasts.ts'
import { transact } from '../../base/db/transact.ts'
import { canceledWithBroadcast } from '../../fax/line/work.ts'
import { advance } from '../../fax/move/advance.ts'
import { faxWork } from '../../fax/move/ledger.ts'
import { beforeAnAttempt } from '../../fax/move/move.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { parked } from '../../base/queue/queue.ts'
import type { WorkHandler } from '../../base/queue/worker.ts'
import { findBroadcast, lockBroadcast } from './store.ts'

/** Queued work that cancels what is left of a broadcast. */
export const cancelWork = 'broadcast_cancel'

const lane = 'broadcasts'
const settledAtOnce = 500
const canceledAtOnce = 200
/** Calls that are up when a broadcast is canceled are waited for: one that fails would be tried again. */
const lookAgainMs = 10_000

async function waitingFaxes({ database }: GatewayContext, tx: Tx, id: string) {
  const waiting = tx
    .selectFrom('fax_jobs')
    .select(['id', 'next_try_at', 'hold'])
    .where('broadcast_id', '=', id)
    .where('phase', 'in', beforeAnAttempt)
    .orderBy('id')
  return waiting.$if(database.engine === 'postgres', (query) => query.forUpdate()).execute()
}

/**
 * Begins no further fax of a broadcast. When it resolves, none will be begun before it is resumed; calls that are up go on.
 * @throws {Problem} `conflict` once it was canceled
 */
export async function pauseBroadcast(context: GatewayContext, { id }: BroadcastRow, by: string): Promise<void> {
  const { database, queue, events, now } = context
  // Committed first: whatever becomes due from now on is put off when it is taken up.
  await transact(database, async (tx) => {
    const row = await lockBroadcast(database, tx, id)
    if (!row || row.cancelled_at !== null) throw new Problem('conflict', 'The broadcast was canceled.')
    if (row.paused_at !== null) return
    await tx.updateTable('broadcasts').set({ paused_at: now().toISOString() }).where('id', '=', id).execute()
    await events.broadcastPaused({ broadcast: id, key_id: by }, tx)
  })
  // What was taken up before loses its lease, without which no attempt begins.
  await transact(database, async (tx) => {
    const row = await lockBroadcast(database, tx, id)
    if (!row?.paused_at) return
    const waiting = await waitingFaxes(context, tx, id)
    const later = { dueAt: parked, hold: false }
    for (let at = 0; at < waiting.length; at += settledAtOnce) {
      const some = waiting.slice(at, at + settledAtOnce)
      await queue.settle(
        tx,
        faxWork,
        some.map((job) => ({ subjectId: job.id, later })),
      )
    }
  })
}

/** Goes on with a broadcast. Faxes that wait for another attempt keep their time. @throws {Problem} `conflict` once it was canceled */
export async function resumeBroadcast(context: GatewayContext, { id }: BroadcastRow, by: string): Promise<void> {
  const { database, queue, events, now } = context
  await transact(database, async (tx) => {
    const row = await lockBroadcast(database, tx, id)
    if (!row || row.cancelled_at !== null) throw new Problem('conflict', 'The broadcast was canceled.')
    if (row.paused_at === null) return
    await tx.updateTable('broadcasts').set({ paused_at: null }).where('id', '=', id).execute()
    const at = now()
    const free = (await waitingFaxes(context, tx, id)).filter(({ hold }) => hold === null)
    const settlements = free.map(({ id: subjectId, next_try_at: next }) => {
      const isLater = next !== null && next > at.toISOString()
      return { subjectId, later: { hold: false, ...(isLater ? { dueAt: new Date(next) } : {}) } }
    })
    for (let from = 0; from < settlements.length; from += settledAtOnce) {
      await queue.settle(tx, faxWork, settlements.slice(from, from + settledAtOnce))
    }
    await events.broadcastResumed({ broadcast: id, key_id: by }, tx)
  })
}

/** Cancels what is left of a broadcast, once and for all. It is done by queued work, which a crash does not end. */
export async function cancelBroadcast(context: GatewayContext, { id }: BroadcastRow, by: string): Promise<void> {
  const { database, queue, events, now } = context
  await transact(database, async (tx) => {
    const row = await lockBroadcast(database, tx, id)
    if (!row || row.cancelled_at !== null) return
    const cancelled = { cancelled_at: now().toISOString(), cancelled_by: by }
    await tx.updateTable('broadcasts').set(cancelled).where('id', '=', id).execute()
    await queue.enqueue(tx, [{ kind: cancelWork, subjectId: id, lane }])
    await events.broadcastCanceled({ broadcast: id, key_id: by }, tx)
  })
}

/** Cancels faxes that nobody has yet. @returns whether there may be more of them */
async function cancelSome(context: GatewayContext, { id, cancelled_by: by }: BroadcastRow): Promise<boolean> {
  const waiting = await context.database.db
    .selectFrom('fax_jobs')
    .select('id')
    .where('broadcast_id', '=', id)
    .where('phase', 'in', beforeAnAttempt)
    .limit(canceledAtOnce)
    .execute()
  const moves = waiting.map((job) => advance(context, job.id, canceledWithBroadcast(by)))
  const moved = (await Promise.all(moves)).filter((move) => move?.verdict === 'applies')
  return moved.length > 0 && waiting.length === canceledAtOnce
}

/** Cancels the rest of a broadcast, and goes on while calls are up. */
export function cancelHandler(context: GatewayContext): WorkHandler {
  const { database, queue, now } = context
  return async (claim, signal) => {
    const row = await findBroadcast(database.db, claim.subjectId)
    while (row && (await cancelSome(context, row))) if (signal.aborted) return now()
    const underWay = await database.db
      .selectFrom('fax_jobs')
      .select('id')
      .where('broadcast_id', '=', claim.subjectId)
      .where('phase', 'in', [...beforeAnAttempt, 'submitting', 'accepted'])
      .limit(1)
      .executeTakeFirst()
    if (underWay) return new Date(now().getTime() + lookAgainMs)
    await transact(database, (tx) => queue.complete(tx, claim))
    return undefined
  }
}
