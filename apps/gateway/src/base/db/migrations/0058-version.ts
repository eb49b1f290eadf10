import type { Kysely } from 'kysely'

/** The version that used the database last: an older one names it when it cannot. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('version', 'text').execute()
}
