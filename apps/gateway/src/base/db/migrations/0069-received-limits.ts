import type { Kysely } from 'kysely'

/**
 * Keys may be limited to some received faxes, and webhooks sent more of them. The webhooks there are go on without
 * numbers, as they were promised.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('received_only', 'text').execute()
  await db.schema
    .alterTable('webhook_endpoints')
    .addColumn('inbound_content', 'text', (column) => column.notNull().defaultTo('id'))
    .execute()
}
