import type { Kysely } from 'kysely'

/**
 * Keys say which faxes they see. Those there are keep what they could: any fax whose id they know, and those that
 * administer see all. Webhooks may belong to a key; those there are belong to the installation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('fax_access', 'text', (column) => column.notNull().defaultTo('by_id'))
    .execute()
  await db.schema.alterTable('webhook_endpoints').addColumn('key_id', 'text').execute()
  await db.schema.createIndex('fax_jobs_by_key').on('fax_jobs').columns(['caller_key_id', 'created_at', 'id']).execute()
}
