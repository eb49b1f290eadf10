import { type Kysely, sql } from 'kysely'

/** The list of faxes that need a person also holds those that were, or may be, delivered twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('fax_jobs_uncertain').execute()
  await db.schema
    .createIndex('fax_jobs_attention')
    .on('fax_jobs')
    .columns(['created_at', 'id'])
    .where(sql.ref('phase'), 'in', sql`('uncertain', 'duplicate')`)
    .execute()
}
