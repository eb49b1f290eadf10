import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'

/** "FAXHOLD" as a number: nothing else of ours locks it. */
const lockId = 4_702_119_584_217

/**
 * Until the transaction ends, no hold is placed (`shared`), or none is placed and nothing held is deleted. So a hold
 * either finds what a deletion has recorded, or the deletion finds the hold. SQLite lets one transaction write at a time.
 */
export async function lockHolds(tx: Tx, engine: Database['engine'], manner: 'shared' | 'alone'): Promise<void> {
  if (engine === 'sqlite') return
  const lock = sql.raw(manner === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${lock}(${sql.lit(lockId)})`.execute(tx)
}

const heldBy = (...conditions: RawBuilder<unknown>[]) =>
  sql<boolean>`exists (select 1 from legal_holds as hold where hold.lifted_at is null and (${sql.join(conditions, sql` or `)}))`

/** In a query of a table whose column names who sent: whether a hold on that person or key keeps the row. */
const bySender = (column: RawBuilder<unknown>) => [
  sql`(hold.kind = 'key' and hold.subject = ${column})`,
  sql`(hold.kind = 'person' and 'person:' || hold.subject = ${column})`,
]

/** Fewer digits than this name no subscriber, and would match too much. */
const fewestDigits = 7

/**
 * Whether a hold is on the number of a column, which is as the provider wrote it: in E.164, or nationally with or
 * without a trunk 0. A national number matches by its end, whatever the country: a hold rather keeps too much.
 */
function isNumber(column: string): RawBuilder<unknown> {
  const plain = ['-', '(', ')', '.', '/'].reduce<RawBuilder<unknown>>(
    (text, mark) => sql`replace(${text}, ${sql.lit(mark)}, '')`,
    sql`replace(${sql.ref(column)}, ' ', '')`,
  )
  const end = sql`ltrim(${plain}, '0')`
  return sql`(hold.kind = 'number' and (hold.subject = ${plain} or (
    ${plain} not like '+%' and length(${end}) >= ${sql.lit(fewestDigits)}
    and substr(hold.subject, length(hold.subject) - length(${end}) + 1) = ${end})))`
}

/** In a query of `fax_jobs`: whether a hold keeps the fax. */
export const sentIsHeld = heldBy(
  sql`(hold.kind = 'fax' and hold.subject = fax_jobs.id)`,
  sql`(hold.kind = 'group' and hold.subject = fax_jobs.group_id)`,
  sql`(hold.kind = 'number' and hold.subject = fax_jobs.to_number)`,
  ...bySender(sql`fax_jobs.caller_key_id`),
)

/** In a query of `inbound_faxes`: whether a hold keeps the fax. */
export const receivedIsHeld = heldBy(
  sql`(hold.kind = 'fax' and hold.subject = inbound_faxes.id)`,
  sql`(hold.kind = 'group' and hold.subject = inbound_faxes.group_id)`,
  isNumber('inbound_faxes.from_number'),
  isNumber('inbound_faxes.to_number'),
)

/** In a query of `fax_uploads` or `fax_approvals`: whether a hold on whoever brought the document keeps it. */
export const broughtIsHeld = (table: 'fax_uploads' | 'fax_approvals'): RawBuilder<boolean> =>
  heldBy(...bySender(sql.ref(`${table}.caller_key_id`)))
