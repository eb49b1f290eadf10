import type { Kysely } from 'kysely'

/** Documents that are handed over before their fax is asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fax_uploads')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('caller_key_id', 'text', (column) => column.notNull())
    .addColumn('document_key', 'text', (column) => column.notNull())
    .addColumn('file_name', 'text')
    .addColumn('pages', 'integer', (column) => column.notNull())
    .addColumn('size_bytes', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('fax_uploads_overdue').on('fax_uploads').column('expires_at').execute()
}
