import { type Kysely, sql } from 'kysely'

/** What a sender's program calls a fax by, and finds it again by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('fax_jobs').addColumn('reference', 'text').execute()
  await db.schema.alterTable('fax_jobs').addColumn('metadata', 'text').execute()
  await db.schema
    .createIndex('fax_jobs_by_reference')
    .on('fax_jobs')
    .columns(['reference', 'created_at', 'id'])
    .where(sql.ref('reference'), 'is not', null)
    .execute()
  await db.schema
    .createTable('fax_metadata')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('job_id', 'text', (column) => column.notNull().references('fax_jobs.id'))
    .addPrimaryKeyConstraint('fax_metadata_pkey', ['name', 'value', 'job_id'])
    .execute()
}
