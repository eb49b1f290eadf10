import type { GatewayContext } from '../../base/context.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import { type Claim, parked } from '../../base/queue/queue.ts'
import { advance } from '../move/advance.ts'
import type { FailedMove } from '../move/move.ts'

/** What canceling a broadcast makes of a fax that nobody has yet. */
export const canceledWithBroadcast = (by: string | null): FailedMove => ({
  to: 'failed',
  kind: 'cancelled',
  sentence: 'Canceled with the rest of its broadcast.',
  ...(by === null ? {} : { by }),
})

const stopOf = (db: GatewayContext['database']['db'], id: string) =>
  db.selectFrom('broadcasts').select(['paused_at', 'cancelled_at', 'cancelled_by']).where('id', '=', id)

/** Puts a fax off until its broadcast is resumed. @returns false when that was done meanwhile */
function park({ database, queue }: GatewayContext, id: string, claim: Claim): Promise<boolean> {
  return transact(database, async (tx) => {
    const stop = stopOf(tx, id).$if(database.engine === 'postgres', (query) => query.forShare())
    if (!(await stop.executeTakeFirst())?.paused_at) return false
    await queue.reschedule(tx, claim, { dueAt: parked, hold: false })
    return true
  })
}

/** Whether a fax is not begun, because its broadcast is paused or was canceled. It is put off or canceled then. */
export async function isHeldBack(context: GatewayContext, job: FaxJobRow, claim: Claim): Promise<boolean> {
  const { broadcast_id: id } = job
  if (id === null) return false
  const stop = await stopOf(context.database.db, id).executeTakeFirst()
  if (stop?.cancelled_at) {
    await advance(context, job.id, canceledWithBroadcast(stop.cancelled_by), claim)
    return true
  }
  return stop?.paused_at ? park(context, id, claim) : false
}
