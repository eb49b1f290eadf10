import { randomBytes } from 'node:crypto'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { IdempotencyRow } from '../../base/db/tables/tables.ts'
import { Problem } from '../../base/http/answers/problem.ts'

/** An Idempotency-Key is bound for 24 hours. */
export const idempotencyMs = 24 * 3_600_000
const sameFaxMs = 10 * 60_000
const ownPrefix = 'same-fax:'

/** The key of a fax whose caller named none: for ten minutes the same fax of the same caller is a repeat. */
export const sameFaxKey = (fingerprint: string): string => ownPrefix + fingerprint

const isOwnKey = (key: string): boolean => key.startsWith(ownPrefix)

/** What was bound to the key before this instant is bound no longer. */
export const boundSince = (key: string, now: Date): string =>
  new Date(now.getTime() - (isOwnKey(key) ? sameFaxMs : idempotencyMs)).toISOString()

const longestKey = 255

/** @throws {Problem} `bad_request` */
export function checkIdempotencyKey(key: string | undefined): void {
  if (key === undefined || (key !== '' && key.length <= longestKey && !isOwnKey(key))) return
  throw new Problem('bad_request', `An Idempotency-Key has 1 to ${longestKey} characters of your choice.`)
}

/** A call that honors an Idempotency-Key. */
export interface KeyedCall {
  callerKeyId: string
  idempotencyKey: string | undefined
}

type Bound = Pick<IdempotencyRow, 'job_id' | 'fingerprint'>

const nameOf = (row: Pick<IdempotencyRow, 'caller_key_id' | 'idempotency_key'>) =>
  `${row.caller_key_id}\0${row.idempotency_key}`

/** What a key is bound to and still good for; undefined when the caller has not used it. */
export function findBinding(
  { database: { db } }: Pick<GatewayContext, 'database'>,
  { callerKeyId, idempotencyKey: key }: KeyedCall,
  now: Date,
) {
  if (key === undefined) return undefined
  return db
    .selectFrom('idempotency_keys')
    .select(['job_id', 'fingerprint'])
    .where('caller_key_id', '=', callerKeyId)
    .where('idempotency_key', '=', key)
    .where('created_at', '>=', boundSince(key, now))
    .executeTakeFirst()
}

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

/** What a call is known by that does not end in a job of its own. */
export const newCallName = (): string => randomBytes(16).toString('hex')

/**
 * Binds the key of a call that does not end in a job of its own.
 * @param name what it is bound to when it is not bound yet
 * @returns a name that is the same for every call with this key, and whether the key had been used before
 * @throws {Problem} `idempotency_conflict` when it was used for something else
 */
export async function bindCall(
  tx: Tx,
  { callerKeyId, idempotencyKey }: KeyedCall,
  fingerprint: string,
  now: Date,
  name = newCallName(),
): Promise<{ name: string; replayed: boolean }> {
  if (idempotencyKey === undefined) return { name, replayed: false }
  const row = {
    caller_key_id: callerKeyId,
    idempotency_key: idempotencyKey,
    fingerprint,
    job_id: name,
    created_at: now.toISOString(),
  }
  const [bound = row] = await bindKeys(tx, [row], now)
  if (bound.fingerprint !== fingerprint) throw new Problem('idempotency_conflict')
  return { name: bound.job_id, replayed: bound.job_id !== name }
}
