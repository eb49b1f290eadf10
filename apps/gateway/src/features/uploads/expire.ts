import type { GatewayContext } from '../../base/context.ts'
import { transact } from '../../base/db/transact.ts'
import { lockHolds } from '../../paper/retention/held.ts'
import { finishRemovals, recordRemoval } from '../../paper/retention/removals.ts'
import { listOverdue, removeUpload } from './store.ts'

const atOnce = 100

/** Removes documents whose hour is over, if no hold keeps them. The documents themselves go once that is committed. */
export async function expireUploads(context: GatewayContext): Promise<void> {
  const { database, now } = context
  const overdue = await listOverdue(database.db, now(), atOnce)
  for (const { id, document_key: key } of overdue) {
    await transact(database, async (tx) => {
      await lockHolds(tx, database.engine, 'shared')
      if (await removeUpload(tx, id)) await recordRemoval(tx, [key], now())
    })
  }
  await finishRemovals(context)
  if (overdue.length === atOnce) await expireUploads(context)
}
