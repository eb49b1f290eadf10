import type { Kysely } from 'kysely'

/** Received faxes say what there is to know of their pages: damaged rows, and what was tidied. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('inbound_faxes').addColumn('page_notes', 'text').execute()
}
