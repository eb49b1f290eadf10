import type { Kysely } from 'kysely'

/** Faxes say what their pages are made black and white for; those from before keep the usual choice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('fax_jobs')
    .addColumn('tones', 'text', (column) => column.notNull().defaultTo('auto'))
    .execute()
}
