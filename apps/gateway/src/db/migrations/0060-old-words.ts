import { type Kysely, sql } from 'kysely'

/** Whether the files of the database may still hold words of pages from before they were encrypted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('installation')
    .addColumn('has_old_words', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await sql`update installation set has_old_words = 0 where encrypts = 1 and has_plain = 0`.execute(db)
}
