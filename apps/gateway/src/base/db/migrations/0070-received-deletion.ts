import { type Kysely, sql } from 'kysely'

/** Keys may be made to delete received faxes; none of those there are was. Deliveries that wait are counted for metrics. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('received_delete', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_pending')
    .on('webhook_deliveries')
    .column('created_at')
    .where(sql<boolean>`state = 'pending'`)
    .execute()
}
