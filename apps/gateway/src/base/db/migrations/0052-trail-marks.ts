import type { Kysely } from 'kysely'

/** Entries that were copied, further apart the older they are: where a database that was changed stops to fit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('trail_copies')
    .addColumn('marks', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}
