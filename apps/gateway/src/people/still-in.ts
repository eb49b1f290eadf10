import type { Kysely } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { PersonRow } from '../db/tables/people.ts'
import type { Tables } from '../db/tables/tables.ts'

/** Whether a person is still in, which they stay until this transaction has ended: to suspend them waits for that. */
export async function holdPerson(tx: Tx, id: string): Promise<boolean> {
  const held = tx.updateTable('people').set({ suspended: 0 }).where('id', '=', id).where('suspended', '=', 0)
  return (await held.executeTakeFirst()).numUpdatedRows > 0n
}

/** Everybody who is not suspended, by name. */
export function listStillIn(db: Kysely<Tables> | Tx): Promise<PersonRow[]> {
  return db.selectFrom('people').selectAll().where('suspended', '=', 0).orderBy('name').orderBy('id').execute()
}
