import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import { type Claim, parked } from '../../base/queue/queue.ts'
import type { WorkHandler } from '../../base/queue/worker.ts'
import { callOff } from './cancel.ts'
import { deliver } from './deliver.ts'
import type { GatewayContext } from '../../base/context.ts'
import { advance } from '../move/advance.ts'
import { isHeld } from '../move/hold.ts'
import type { FailedMove } from '../move/move.ts'
import { poll } from './poll.ts'
import { findJob } from '../facts/find-job.ts'
import { reconcile } from './reconcile.ts'

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
async function isHeldBack(context: GatewayContext, job: FaxJobRow, claim: Claim): Promise<boolean> {
  const { broadcast_id: id } = job
  if (id === null) return false
  const stop = await stopOf(context.database.db, id).executeTakeFirst()
  if (stop?.cancelled_at) {
    await advance(context, job.id, canceledWithBroadcast(stop.cancelled_by), claim)
    return true
  }
  return stop?.paused_at ? park(context, id, claim) : false
}

/** Takes a fax one step further from wherever it stands; that is also how work goes on after a crash. */
export function faxHandler(context: GatewayContext): WorkHandler {
  return async (claim, signal) => {
    const job = await findJob(context.database.db, claim.subjectId)
    if (job && isHeld(job)) {
      await transact(context.database, (tx) => context.queue.reschedule(tx, claim, { dueAt: parked, hold: false }))
      return undefined
    }
    switch (job?.phase) {
      case 'queued':
      case 'preparing':
      case 'waiting_retry':
        return (await isHeldBack(context, job, claim)) ? undefined : deliver(context, job, claim, signal)
      case 'submitting':
      case 'uncertain':
        return reconcile(context, job, claim, signal)
      case 'accepted':
        return poll(context, job, claim, signal)
      case 'duplicate':
        return callOff(context, job, claim, signal)
      default:
        await transact(context.database, (tx) => context.queue.complete(tx, claim))
        return undefined
    }
  }
}
