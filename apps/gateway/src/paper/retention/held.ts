import { type RawBuilder, sql } from 'kysely'
import { lockUntilEnd } from '../../base/db/advisory-lock.ts'
import type { Database, Tx, Reader } from '../../base/db/database.ts'
import type { LegalHoldRow } from '../../base/db/tables/retention.ts'
import { matchesNumber } from './same-number.ts'

/** "FAXHOLD" as a number: a lock id that nothing else uses. */
const lockId = 4_702_119_584_217

/**
 * Until the transaction ends, no hold is placed (`shared`), or none is placed and nothing held is deleted. So a hold
 * either finds what a deletion has recorded, or the deletion finds the hold.
 */
export const lockHolds = (tx: Tx, engine: Database['engine'], manner: 'shared' | 'alone'): Promise<void> =>
  lockUntilEnd(tx, engine, lockId, manner)

type Condition = RawBuilder<unknown>

const anyOf = (conditions: readonly Condition[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`
const heldBy = (conditions: readonly Condition[]) =>
  sql<boolean>`exists (select 1 from legal_holds as hold where hold.lifted_at is null and ${anyOf(conditions)})`

/** In a query of a table whose column names who sent: whether a hold on that person or key keeps the row. */
const bySender = (column: Condition) => [
  sql`(hold.kind = 'key' and hold.subject = ${column})`,
  sql`(hold.kind = 'person' and 'person:' || hold.subject = ${column})`,
]

const byNumber = (column: string) => sql`(hold.kind = 'number' and ${matchesNumber(column, sql.ref('hold.subject'))})`

const ofSent = [
  sql`(hold.kind = 'fax' and hold.subject = fax_jobs.id)`,
  sql`(hold.kind = 'group' and hold.subject = fax_jobs.group_id)`,
  sql`(hold.kind = 'number' and hold.subject = fax_jobs.to_number)`,
  ...bySender(sql`fax_jobs.caller_key_id`),
]

const ofReceived = [
  sql`(hold.kind = 'fax' and hold.subject = inbound_faxes.id)`,
  sql`(hold.kind = 'group' and hold.subject = inbound_faxes.group_id)`,
  byNumber('inbound_faxes.from_number'),
  byNumber('inbound_faxes.to_number'),
]

/** In a query of `fax_jobs`: whether a hold keeps the fax. */
export const sentIsHeld = heldBy(ofSent)

/** In a query of `inbound_faxes`: whether a hold keeps the fax. */
export const receivedIsHeld = heldBy(ofReceived)

/** In a query of `fax_approvals`: whether a hold keeps the request, and its document, as it would keep the fax. */
export const requestIsHeld = heldBy([
  sql`(hold.kind = 'fax' and 'apr_' || hold.subject = fax_approvals.id)`,
  sql`(hold.kind = 'group' and hold.subject = fax_approvals.group_id)`,
  sql`(hold.kind = 'number' and hold.subject = fax_approvals.to_number)`,
  ...bySender(sql`fax_approvals.caller_key_id`),
])

/** In a query of `fax_uploads`: whether a hold on the uploader keeps it. No number and no group is known of it yet. */
export const uploadIsHeld = heldBy(bySender(sql`fax_uploads.caller_key_id`))

/** Whether a hold in force is about this very group. */
export async function isGroupHeld(db: Reader, id: string): Promise<boolean> {
  const holds = db.selectFrom('legal_holds').select('id').where('kind', '=', 'group').where('subject', '=', id)
  return (await holds.where('lifted_at', 'is', null).executeTakeFirst()) !== undefined
}

/** The holds in force that keep a fax, sent or received, newest first. */
export function holdsOn(db: Reader, faxId: string): Promise<LegalHoldRow[]> {
  const among = (table: 'fax_jobs' | 'inbound_faxes', conditions: readonly Condition[]) =>
    sql<boolean>`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${faxId} and ${anyOf(conditions)})`
  return db
    .selectFrom('legal_holds as hold')
    .selectAll('hold')
    .where('hold.lifted_at', 'is', null)
    .where(sql<boolean>`(${among('fax_jobs', ofSent)} or ${among('inbound_faxes', ofReceived)})`)
    .orderBy('hold.placed_at', 'desc')
    .orderBy('hold.id')
    .execute()
}
