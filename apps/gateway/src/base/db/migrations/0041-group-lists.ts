import { type Kysely, sql } from 'kysely'

/** Received faxes are listed by when they were received, also those of a group. A broadcast belongs to the group of its faxes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('inbound_faxes_by_group').execute()
  const received = db.schema.createIndex('inbound_faxes_by_group').on('inbound_faxes')
  await received.columns(['group_id', 'received_at', 'id']).where(sql.ref('group_id'), 'is not', null).execute()
  await db.schema.alterTable('broadcasts').addColumn('group_id', 'text').execute()
  const broadcasts = db.schema.createIndex('broadcasts_by_group').on('broadcasts')
  await broadcasts.columns(['group_id', 'created_at', 'id']).where(sql.ref('group_id'), 'is not', null).execute()
}
