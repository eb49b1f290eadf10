import { type Kysely, sql } from 'kysely'

/**
 * The list of jobs can be sorted by more than their creation: one index for each order, behind provider and status, so
 * that every filter is a few of its lanes. And what a person does with all jobs of a filter goes on after a restart.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, column: string) =>
    db.schema.createIndex(`fax_jobs_by_${name}`).on('fax_jobs').columns(['backend', 'status', column, 'id'])
  await index('update', 'updated_at').execute()
  await index('pages', 'pages').execute()
  await index('end', 'finished_at').where(sql.ref('finished_at'), 'is not', null).execute()
  await db.schema
    .createTable('bulk_actions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('filter', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('done', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('refused', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('refusal', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .execute()
  await db.schema
    .createTable('bulk_parts')
    .addColumn('bulk_id', 'text', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('job_ids', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('bulk_parts_key', ['bulk_id', 'n'])
    .execute()
}
