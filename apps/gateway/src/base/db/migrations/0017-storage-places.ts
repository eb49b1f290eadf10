import type { Kysely } from 'kysely'

/** The identity of each place that holds documents. Null: whatever is found there at the next start is accepted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('storage_places')
    .addColumn('kind', 'text', (column) => column.primaryKey().notNull())
    .addColumn('id', 'text')
    .execute()
}
