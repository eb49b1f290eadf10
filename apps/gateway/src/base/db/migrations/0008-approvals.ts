import type { Kysely } from 'kysely'

/** Faxes that assistants ask for and people decide about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fax_approvals')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('caller_key_id', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text')
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('to_number', 'text', (column) => column.notNull())
    .addColumn('pages', 'integer', (column) => column.notNull())
    .addColumn('draft', 'text', (column) => column.notNull())
    .addColumn('document_key', 'text')
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'text')
    .addColumn('job_id', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('fax_approvals_repeat')
    .on('fax_approvals')
    .columns(['caller_key_id', 'idempotency_key'])
    .unique()
    .execute()
  await db.schema
    .createIndex('fax_approvals_state')
    .on('fax_approvals')
    .columns(['state', 'created_at', 'id'])
    .execute()
}
