import type { Tx } from '../db/database.ts'

/** Whether a person is still in, which they stay until this transaction has ended: to suspend them waits for that. */
export async function holdPerson(tx: Tx, id: string): Promise<boolean> {
  const held = tx.updateTable('people').set({ suspended: 0 }).where('id', '=', id).where('suspended', '=', 0)
  return (await held.executeTakeFirst()).numUpdatedRows > 0n
}
