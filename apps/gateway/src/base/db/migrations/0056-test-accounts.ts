import { type Kysely, sql } from 'kysely'

/**
 * Whether a fax was only a test of its provider's: null of an attempt while the provider has said neither. The index
 * finds what an account said last.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('fax_jobs')
    .addColumn('is_test', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('fax_attempts').addColumn('is_test', 'integer').execute()
  await db.schema
    .createIndex('fax_attempts_tests')
    .on('fax_attempts')
    .columns(['provider', 'account', 'started_at'])
    .where(sql<boolean>`is_test is not null`)
    .execute()
}
