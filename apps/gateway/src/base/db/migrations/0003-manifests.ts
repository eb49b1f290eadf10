import type { Kysely } from 'kysely'

/** Installed HTTP manifests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installed_manifests')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('manifest', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('installed_at', 'text', (column) => column.notNull())
    .addColumn('installed_by', 'text', (column) => column.notNull())
    .execute()
}
