import { type Kysely, sql } from 'kysely'

/** After a restore, faxes are held until a person releases them: see `Hold`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('fax_jobs').addColumn('hold', 'text').execute()
  await db.schema
    .createIndex('fax_jobs_held')
    .on('fax_jobs')
    .columns(['created_at', 'id'])
    .where(sql.ref('hold'), 'is not', null)
    .execute()
}
