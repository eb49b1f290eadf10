import type { Kysely } from 'kysely'

/** Faxes keep the header line that their pages were sent with; those from before had none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('fax_jobs').addColumn('header_line', 'text').execute()
}
