import type { Tx } from '../db/database.ts'
import type { IdempotencyRow } from '../db/tables.ts'

/** An Idempotency-Key is bound for 24 hours. */
export const idempotencyMs = 24 * 3_600_000

type Bound = Pick<IdempotencyRow, 'job_id' | 'fingerprint'>

const nameOf = (row: Pick<IdempotencyRow, 'caller_key_id' | 'idempotency_key'>) =>
  `${row.caller_key_id}\0${row.idempotency_key}`

/**
 * Binds each caller's key to its job, unless it is bound already, also by an earlier row of the same call.
 * @returns for each row, in order, what the key is bound to now
 */
export async function bindKeys(tx: Tx, rows: readonly IdempotencyRow[], now: Date): Promise<Bound[]> {
  if (rows.length === 0) return []
  const keys = rows.map((row) => row.idempotency_key)
  const cutoff = new Date(now.getTime() - idempotencyMs).toISOString()
  await tx
    .deleteFrom('idempotency_keys')
    .where('idempotency_key', 'in', keys)
    .where('created_at', '<', cutoff)
    .execute()
  await tx
    .insertInto('idempotency_keys')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['caller_key_id', 'idempotency_key']).doNothing())
    .execute()
  const bound = await tx.selectFrom('idempotency_keys').selectAll().where('idempotency_key', 'in', keys).execute()
  const byName = new Map(bound.map((row) => [nameOf(row), row]))
  return rows.map((row) => byName.get(nameOf(row)) ?? row)
}
