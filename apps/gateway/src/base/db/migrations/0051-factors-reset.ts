import type { Kysely } from 'kysely'

/** When an administrator reset the second factors of a person, until they have said that they know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('people').addColumn('factors_reset_at', 'text').execute()
}
