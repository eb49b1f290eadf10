import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Tx } from './tx.ts'

/**
 * Until the transaction ends, nobody holds the lock (`alone`), or nobody holds it alone (`shared`). SQLite lets one
 * transaction write at a time.
 * @param id a number of one's own for each lock
 */
export async function lockUntilEnd(
  tx: Tx,
  engine: Database['engine'],
  id: number,
  manner: 'shared' | 'alone',
): Promise<void> {
  if (engine === 'sqlite') return
  const lock = sql.raw(manner === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${lock}(${sql.lit(id)})`.execute(tx)
}
