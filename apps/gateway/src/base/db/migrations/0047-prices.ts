import type { Kysely } from 'kysely'

/** What providers charge, by the day from which it holds, so that old months keep their price. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('prices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('direction', 'text', (column) => column.notNull())
    .addColumn('valid_from', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('per_page', 'text')
    .addColumn('per_minute', 'text')
    .addColumn('per_call', 'text')
    .addColumn('saved_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('prices_of_day', ['provider', 'direction', 'valid_from'])
    .execute()
}
