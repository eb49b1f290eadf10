import type { GatewayContext } from '../../base/context.ts'
import { transact } from '../../base/db/transact.ts'

const reason =
  'The database was restored from a backup, and the rest of this action may have been carried out since then. Begin it again for what is still to do.'
/** What the audit trail names in place of a key. */
const by = 'restore'

/**
 * Ends bulk actions that send faxes and were under way: our records are of an earlier time, and what they have left may
 * have been done since. Canceling goes on, because it sends nothing.
 * @returns how many
 */
export function stopSending({
  database,
  events,
  now,
}: Pick<GatewayContext, 'database' | 'events' | 'now'>): Promise<number> {
  return transact(database, async (tx) => {
    const stopped = await tx
      .updateTable('bulk_actions')
      .set((eb) => ({ finished_at: now().toISOString(), refused: eb('total', '-', eb.ref('done')), refusal: reason }))
      .where('finished_at', 'is', null)
      .where('action', 'in', ['resend', 'release'])
      .returning('id')
      .execute()
    for (const { id } of stopped) {
      await tx.deleteFrom('bulk_parts').where('bulk_id', '=', id).execute()
      await events.bulkStopped({ bulk: id, key_id: by }, tx)
    }
    return stopped.length
  })
}
