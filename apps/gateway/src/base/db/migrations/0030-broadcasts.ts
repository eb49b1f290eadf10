import { type Kysely, sql } from 'kysely'

/**
 * One document to many numbers: a broadcast, its faxes, and who they are for. In the queue its faxes come after those
 * that were sent one by one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('broadcasts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('caller_key_id', 'text', (column) => column.notNull())
    .addColumn('backend', 'text', (column) => column.notNull())
    .addColumn('file_name', 'text')
    .addColumn('pages', 'integer', (column) => column.notNull())
    .addColumn('faxes', 'integer', (column) => column.notNull())
    .addColumn('duplicates', 'integer', (column) => column.notNull())
    .addColumn('refused', 'text', (column) => column.notNull())
    .addColumn('parent_id', 'text')
    .addColumn('paused_at', 'text')
    .addColumn('cancelled_at', 'text')
    .addColumn('cancelled_by', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('broadcasts_newest').on('broadcasts').columns(['created_at', 'id']).execute()
  await db.schema
    .createIndex('broadcasts_of_key')
    .on('broadcasts')
    .columns(['caller_key_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createTable('broadcast_recipients')
    .addColumn('broadcast_id', 'text', (column) => column.notNull().references('broadcasts.id'))
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addPrimaryKeyConstraint('broadcast_recipients_pkey', ['broadcast_id', 'n'])
    .execute()
  await db.schema.createIndex('broadcast_recipients_job').unique().on('broadcast_recipients').column('job_id').execute()
  await markFaxes(db)
  await db.schema
    .alterTable('queue')
    .addColumn('bulk', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.dropIndex('queue_due').execute()
  await db.schema
    .createIndex('queue_due')
    .on('queue')
    .columns(['lane', 'occupied', 'behind', 'bulk', 'due_at', 'id'])
    .execute()
}

/** The broadcast that a fax belongs to, and how its faxes are found and counted. */
async function markFaxes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('fax_jobs').addColumn('broadcast_id', 'text').execute()
  const ofBroadcasts = (name: string, columns: string[]) =>
    db.schema
      .createIndex(`fax_jobs_${name}`)
      .on('fax_jobs')
      .columns(columns)
      .where(sql.ref('broadcast_id'), 'is not', null)
  await ofBroadcasts('broadcast', ['broadcast_id', 'phase', 'error_kind']).execute()
  await ofBroadcasts('broadcast_document', ['document_key']).execute()
}
