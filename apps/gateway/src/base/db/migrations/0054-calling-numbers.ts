import type { Kysely } from 'kysely'

/** The number that faxes of a group come from, and the one that an attempt was to come from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('groups').addColumn('calling_number', 'text').execute()
  await db.schema.alterTable('fax_attempts').addColumn('from_number', 'text').execute()
}
