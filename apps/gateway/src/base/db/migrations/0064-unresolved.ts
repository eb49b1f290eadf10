import { type Kysely, sql } from 'kysely'

/** The list of faxes that nobody has resolved looks only through those that failed or need a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('fax_jobs_unresolved')
    .on('fax_jobs')
    .columns(['created_at', 'id'])
    .where(sql<boolean>`status = 'FAILED' or phase in ('uncertain', 'duplicate', 'partial', 'incomplete')`)
    .execute()
}
