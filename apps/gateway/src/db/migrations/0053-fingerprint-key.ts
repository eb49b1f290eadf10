import type { Kysely } from 'kysely'

/** The key of fingerprints, which stays when the master key is changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('fingerprint_key', 'text').execute()
}
