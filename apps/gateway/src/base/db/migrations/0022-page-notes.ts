import type { Kysely } from 'kysely'

/** Faxes say what is to become of them when their pages lose writing, and what was found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('fax_jobs')
    .addColumn('unreadable', 'text', (column) => column.notNull().defaultTo('refuse'))
    .execute()
  await db.schema.alterTable('fax_jobs').addColumn('page_notes', 'text').execute()
}
