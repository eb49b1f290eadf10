import type { Kysely } from 'kysely'

/** Codes with which a device asks for a key of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pairing_codes')
    .addColumn('code_sha256', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('wrong_tries', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
