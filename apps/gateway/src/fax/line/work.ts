import { transact } from '../../base/db/transact.ts'
import { parked } from '../../base/queue/queue.ts'
import type { WorkHandler } from '../../base/queue/worker.ts'
import { callOff } from './call-off.ts'
import { deliver } from './deliver.ts'
import type { GatewayContext } from '../../base/context.ts'
import { isHeldBack } from './held-back.ts'
import { isHeld } from '../move/hold.ts'
import { poll } from './poll.ts'
import { findJob } from '../facts/find-job.ts'
import { reconcile } from './reconcile.ts'

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
        return poll(context, job, signal)
      case 'duplicate':
        return callOff(context, job, claim, signal)
      default:
        await transact(context.database, (tx) => context.queue.complete(tx, claim))
        return undefined
    }
  }
}
