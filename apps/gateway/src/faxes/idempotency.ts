import type { Tx } from '../db/database.ts'
import type { IdempotencyRow } from '../db/tables.ts'

/** An Idempotency-Key is bound for 24 hours. */
export const idempotencyMs = 24 * 3_600_000
const sameFaxMs = 10 * 60_000
const ownPrefix = 'same-fax:'

/** The key of a fax whose caller named none: for ten minutes the same fax of the same caller is a repeat. */
export const sameFaxKey = (fingerprint: string): string => ownPrefix + fingerprint

/** Whether a key is one that we give, not a caller. */
export const isOwnKey = (key: string): boolean => key.startsWith(ownPrefix)

/** What was bound to the key before this instant is bound no longer. */
export const boundSince = (key: string, now: Date): string =>
  new Date(now.getTime() - (isOwnKey(key) ? sameFaxMs : idempotencyMs)).toISOString()

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
  for (const [since, old] of Map.groupBy(keys, (key) => boundSince(key, now))) {
    await tx
      .deleteFrom('idempotency_keys')
      .where('idempotency_key', 'in', old)
      .where('created_at', '<', since)
      .execute()
  }
  await tx
    .insertInto('idempotency_keys')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['caller_key_id', 'idempotency_key']).doNothing())
    .execute()
  const bound = await tx.selectFrom('idempotency_keys').selectAll().where('idempotency_key', 'in', keys).execute()
  const byName = new Map(bound.map((row) => [nameOf(row), row]))
  return rows.map((row) => byName.get(nameOf(row)) ?? row)
}
