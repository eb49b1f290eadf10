import type { ExpressionBuilder } from 'kysely'
import type { Tx, Reader } from '../../base/db/database.ts'
import type { FaxApprovalRow } from '../../base/db/tables/requests.ts'
import type { FaxJobRow, Tables } from '../../base/db/tables/tables.ts'
import { boundSince } from '../../fax/facts/idempotency.ts'
import { Problem } from '../../base/http/answers/problem.ts'

/** The id tells apart a request from the fax that it becomes. */
export const approvalIdOf = (jobId: string) => `apr_${jobId}`

/** The job that a request becomes, as it was when it was asked for. */
export const draftOf = (row: FaxApprovalRow): FaxJobRow => ({
  // Requests that an older release kept have neither.
  group_id: null,
  is_test: 0,
  ...(JSON.parse(row.draft) as Omit<FaxJobRow, 'group_id' | 'is_test'>),
})

/** What is kept of it once it was decided: nothing that was written on its cover page. */
export const withoutCover = (row: FaxApprovalRow) => JSON.stringify({ ...draftOf(row), cover: null })

/** A request that nobody decided in time has ended, whether the sweep has come by or not. */
export const stateOf = (row: FaxApprovalRow, now: Date): FaxApprovalRow['state'] =>
  row.state === 'waiting' && row.expires_at <= now.toISOString() ? 'expired' : row.state

/** @throws {Problem} `approval_not_found` */
export async function requireApproval(db: Reader, id: string): Promise<FaxApprovalRow> {
  const row = await db.selectFrom('fax_approvals').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('approval_not_found')
  return row
}

interface Repeated {
  callerKeyId: string
  idempotencyKey: string | undefined
  fingerprint: string
}

/** Whether a request still stands for its Idempotency-Key: while the key is bound, and as long as it waits. */
const standsFor = (key: string, now: Date) => (eb: ExpressionBuilder<Tables, 'fax_approvals'>) =>
  eb.or([
    eb('created_at', '>=', boundSince(key, now)),
    eb.and([eb('state', '=', 'waiting'), eb('expires_at', '>', now.toISOString())]),
  ])

/** The request that was made under the same Idempotency-Key. @throws {Problem} when it was for another fax */
export async function findRepeat(db: Reader, asked: Repeated, now: Date): Promise<FaxApprovalRow | undefined> {
  if (asked.idempotencyKey === undefined) return undefined
  const row = await db
    .selectFrom('fax_approvals')
    .selectAll()
    .where('caller_key_id', '=', asked.callerKeyId)
    .where('idempotency_key', '=', asked.idempotencyKey)
    .where(standsFor(asked.idempotencyKey, now))
    .executeTakeFirst()
  if (row && row.fingerprint !== asked.fingerprint) throw new Problem('idempotency_conflict')
  return row
}

/** Requests that wait, of one caller or of all. */
export async function countWaiting(db: Reader, now: Date, callerKeyId?: string): Promise<number> {
  const waiting = db
    .selectFrom('fax_approvals')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now.toISOString())
  const counted = callerKeyId === undefined ? waiting : waiting.where('caller_key_id', '=', callerKeyId)
  const { count } = await counted.executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether it was kept; not when its Idempotency-Key is taken. Keys that stand for nothing any more are free again. */
export async function insertApproval(tx: Tx, row: FaxApprovalRow, now: Date): Promise<boolean> {
  const { idempotency_key: key, caller_key_id: caller } = row
  if (key !== null) {
    await tx
      .updateTable('fax_approvals')
      .set({ idempotency_key: null })
      .where('caller_key_id', '=', caller)
      .where('idempotency_key', '=', key)
      .where((eb) => eb.not(standsFor(key, now)(eb)))
      .execute()
  }
  const kept = await tx
    .insertInto('fax_approvals')
    .values(row)
    .onConflict((conflict) => conflict.columns(['caller_key_id', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

/** Takes a request out of the waiting; undefined when it waits no longer. Of two at once, one gets it. */
export const decide = (
  tx: Tx,
  id: string,
  now: Date,
  change: Pick<FaxApprovalRow, 'state' | 'decided_by'>,
): Promise<FaxApprovalRow | undefined> =>
  tx
    .updateTable('fax_approvals')
    .set({ ...change, decided_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst()

export const changeApproval = (db: Reader, id: string, change: Partial<FaxApprovalRow>) =>
  db.updateTable('fax_approvals').set(change).where('id', '=', id).execute()

/** Those that wait, oldest first. */
export const listWaiting = (db: Reader, now: Date, limit: number) =>
  db
    .selectFrom('fax_approvals')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now.toISOString())
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Those that were decided or have expired, newest first. */
export const listDecided = (db: Reader, now: Date, limit: number) =>
  db
    .selectFrom('fax_approvals')
    .selectAll()
    .where((eb) => eb.or([eb('state', '!=', 'waiting'), eb('expires_at', '<=', now.toISOString())]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
