import { type Kysely, sql } from 'kysely'

/**
 * What opens stored documents: keys of the installation, sealed with the master key, and one key for each document,
 * wrapped by one of those. A database that has never seen a document encrypts from the first one on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wrapping_keys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('made_at', 'text', (column) => column.notNull())
    .addColumn('retired_at', 'text')
    .execute()
  await db.schema
    .createTable('document_keys')
    .addColumn('document_key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('wrapping_key', 'text', (column) => column.notNull().references('wrapping_keys.id'))
    .addColumn('wrapped', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('document_keys_by_wrapping').on('document_keys').columns(['wrapping_key']).execute()
  await db.schema
    .alterTable('installation')
    .addColumn('encrypts', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('installation')
    .addColumn('has_plain', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  const known = ['storage_places', 'fax_jobs', 'inbound_faxes', 'fax_uploads', 'api_keys'].map(
    (table) => sql`not exists (select 1 from ${sql.table(table)})`,
  )
  await sql`update installation set encrypts = 1, has_plain = 0 where ${sql.join(known, sql` and `)}`.execute(db)
}
