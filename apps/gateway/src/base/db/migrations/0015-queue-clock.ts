import type { Kysely } from 'kysely'

/** Work remembers when its due time was set, so that a clock that is set back is noticed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('queue')
    .addColumn('scheduled_at', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
