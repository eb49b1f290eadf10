import type { Kysely } from 'kysely'

/**
 * The key of fingerprints, which stays when the master key is changed. Which session at the provider of single sign-on one
 * of ours came from, and the logout tokens that were taken: none counts twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('fingerprint_key', 'text').execute()
  await db.schema.alterTable('person_sessions').addColumn('oidc_sid', 'text').execute()
  await db.schema
    .createTable('oidc_logouts')
    .addColumn('token_sha256', 'text', (column) => column.primaryKey().notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
}
