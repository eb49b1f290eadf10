import { type Kysely, sql } from 'kysely'

/**
 * Received faxes say why a person should look at them, and keep apart how the call ended and why a document could not be
 * fetched: both were the same column, which was empty while a fax waited.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('inbound_faxes').addColumn('concern', 'text').execute()
  await db.schema.alterTable('inbound_faxes').addColumn('broke_off', 'text').execute()
  await sql`update inbound_faxes set broke_off = error, error = null where status = 'waiting'`.execute(db)
  await db.schema
    .createIndex('inbound_faxes_concerns')
    .on('inbound_faxes')
    .column('received_at')
    .where(sql.ref('concern'), 'is not', null)
    .execute()
}
