import { type Kysely, sql } from 'kysely'

/** The list of faxes that need a person also holds those delivered with fewer pages confirmed than they have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('fax_jobs_attention').execute()
  await db.schema
    .createIndex('fax_jobs_attention')
    .on('fax_jobs')
    .columns(['created_at', 'id'])
    .where(sql.ref('phase'), 'in', sql`('uncertain', 'duplicate', 'partial', 'incomplete')`)
    .execute()
}
