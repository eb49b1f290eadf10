import { type Kysely, sql } from 'kysely'

/** Unread faxes in the order of the list, so that a page of them is read without sorting all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('inbound_faxes_unread').execute()
  await db.schema
    .createIndex('inbound_faxes_unread')
    .on('inbound_faxes')
    .columns(['received_at', 'id'])
    .where(sql.ref('read_at'), 'is', null)
    .execute()
}
