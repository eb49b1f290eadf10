import type { Kysely } from 'kysely'

/** Faxes keep what their cover page says; those from before had none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('fax_jobs').addColumn('cover', 'text').execute()
}
