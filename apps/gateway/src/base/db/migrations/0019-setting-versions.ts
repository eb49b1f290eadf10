import type { Kysely } from 'kysely'

/**
 * What each key wrote before another wrote over it: settings in the database, lines of faxdeck.env, manifests. When a key
 * is revoked, the newest version by somebody else comes back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('setting_versions')
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('saved_by', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('sealed', 'integer', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('setting_versions_pkey', ['place', 'key', 'saved_by'])
    .execute()
}
