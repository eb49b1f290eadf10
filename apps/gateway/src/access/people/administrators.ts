import type { Database, Tx } from '../../base/db/database.ts'

export const lastAdministrator =
  'This is the only administrator who can sign in. Make somebody else an administrator first, and let them sign in.'

/**
 * The administrators who can sign in, each by their id. They stay so until the transaction has ended: of two who
 * suspend each other, the second finds only one.
 */
export async function holdAdministrators({ engine }: Database, tx: Tx): Promise<string[]> {
  const found = tx.selectFrom('people').select('id').where('role', '=', 'administrator').where('suspended', '=', 0)
  const joined = found.where('last_sign_in_at', 'is not', null).orderBy('id')
  const rows = await joined.$if(engine === 'postgres', (query) => query.forUpdate()).execute()
  return rows.map(({ id }) => id)
}
