import type { GatewayContext } from '../../base/context.ts'
import { transact } from '../../base/db/transact.ts'
import { newHold } from '../../fax/move/hold.ts'
import { draftOf } from './store.ts'

/**
 * Sees to it that a request that waits for a person becomes a held fax: our records are of an earlier time, and it may
 * have been approved and sent since.
 */
export async function holdWaiting(
  { database, now }: Pick<GatewayContext, 'database' | 'now'>,
  asOf: Date,
): Promise<void> {
  await transact(database, async (tx) => {
    const waiting = tx.selectFrom('fax_approvals').selectAll().where('state', '=', 'waiting').orderBy('id')
    const rows = await waiting.$if(database.engine === 'postgres', (query) => query.forUpdate()).execute()
    for (const row of rows) {
      const draft = draftOf(row)
      const held = JSON.stringify({ ...draft, hold: newHold(draft, asOf, now()) })
      await tx.updateTable('fax_approvals').set({ draft: held }).where('id', '=', row.id).execute()
    }
  })
}
