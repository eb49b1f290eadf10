import type { Kysely } from 'kysely'

/**
 * Attempts keep through which account they were made, when they were made by the provider's own clock, and whether
 * their failure was worth one more attempt. Of those from before nothing of it is known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['account', 'begun_after', 'over_by', 'again']) {
    await db.schema.alterTable('fax_attempts').addColumn(column, 'text').execute()
  }
  await db.schema.createIndex('fax_attempts_by_start').on('fax_attempts').columns(['provider', 'started_at']).execute()
}
