import type { Kysely } from 'kysely'

/** What a gateway believes of its clock and of its place, so that a restart forgets neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cleaning_state')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('believed_at', 'text')
    .addColumn('believed_no', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('announced_at', 'text')
    .addColumn('announced', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('paused_at', 'text')
    .addColumn('paused_by', 'text')
    .execute()
  await db
    .insertInto('cleaning_state' as never)
    .values({ id: 1 })
    .execute()
  await db.schema
    .createTable('clock_setbacks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('from_at', 'text', (column) => column.notNull())
    .addColumn('to_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.alterTable('installation').addColumn('home', 'text').execute()
}
