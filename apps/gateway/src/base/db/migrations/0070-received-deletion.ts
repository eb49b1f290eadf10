import type { Kysely } from 'kysely'

/** Keys may be made to delete received faxes. None of those there are was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('received_delete', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
