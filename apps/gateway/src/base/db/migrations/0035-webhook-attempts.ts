import type { Kysely } from 'kysely'

/** Every try of a webhook's message with what was answered, since when a webhook fails, and when a message was replayed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhook_endpoints').addColumn('failing_since', 'text').execute()
  await db.schema.alterTable('webhook_deliveries').addColumn('replayed_at', 'text').execute()
  await db.schema
    .createTable('webhook_attempts')
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('error', 'text')
    .addColumn('response_body', 'text')
    .addPrimaryKeyConstraint('webhook_attempts_pkey', ['delivery_id', 'n'])
    .execute()
}
