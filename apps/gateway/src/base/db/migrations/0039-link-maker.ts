import type { Kysely } from 'kysely'

/** Who made the link of a person: it ends with them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('people').addColumn('link_by', 'text').execute()
}
