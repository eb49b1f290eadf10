import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

type Schema = Kysely<unknown>
const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull()
const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

async function createJobs(db: Schema): Promise<void> {
  await db.schema
    .createTable('fax_jobs')
    .addColumn('id', 'text', key)
    .addColumn('to_number', 'text', required)
    .addColumn('to_reversed', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('phase', 'text', required)
    .addColumn('backend', 'text', required)
    .addColumn('pages', 'integer', required)
    .addColumn('pages_confirmed', 'integer')
    .addColumn('error', 'text')
    .addColumn('error_kind', 'text')
    .addColumn('attempt_count', 'integer', zero)
    .addColumn('next_try_at', 'text')
    .addColumn('attempt_id', 'text')
    .addColumn('provider_id', 'text')
    .addColumn('document_kind', 'text', required)
    .addColumn('document_key', 'text')
    .addColumn('document_sha256', 'text', required)
    .addColumn('size_bytes', 'bigint', required)
    .addColumn('file_name', 'text')
    .addColumn('caller_key_id', 'text', required)
    .addColumn('parent_id', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('finished_at', 'text')
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`fax_jobs_${name}`).on('fax_jobs').columns(columns)
  await index('newest', ['created_at', 'id']).execute()
  await index('by_status', ['status', 'created_at', 'id']).execute()
  await index('by_backend', ['backend', 'created_at', 'id']).execute()
  await index('by_both', ['backend', 'status', 'created_at', 'id']).execute()
  await index('by_number', ['to_reversed']).execute()
  // Partial indexes cost nothing for the jobs that are not in them.
  const partial = (name: string, columns: string[], holding: string) =>
    index(name, columns).where(sql.ref(holding), 'is not', null)
  const uncertain = index('uncertain', ['phase', 'backend', 'created_at', 'id'])
  await uncertain.where(sql.ref('phase'), '=', sql.lit('uncertain')).execute()
  await partial('ended', ['status', 'finished_at'], 'finished_at').execute()
  await partial('documents', ['finished_at'], 'document_key').where(sql.ref('finished_at'), 'is not', null).execute()
  await partial('resent', ['document_key'], 'parent_id').execute()
  await partial('children', ['parent_id'], 'parent_id').execute()
}

async function createAttempts(db: Schema): Promise<void> {
  await db.schema
    .createTable('fax_attempts')
    .addColumn('id', 'text', key)
    .addColumn('job_id', 'text', (column) => column.notNull().references('fax_jobs.id'))
    .addColumn('number', 'integer', required)
    .addColumn('provider', 'text', required)
    .addColumn('provider_id', 'text')
    .addColumn('state', 'text', required)
    .addColumn('started_at', 'text', required)
    .addColumn('accepted_at', 'text')
    .addColumn('ended_at', 'text')
    .addColumn('kind', 'text')
    .addColumn('sentence', 'text')
    .addColumn('pages_confirmed', 'integer')
    .addColumn('last_word', 'text')
    .addUniqueConstraint('fax_attempts_of_job', ['job_id', 'number'])
    .execute()
  await db.schema
    .createIndex('fax_attempts_by_provider')
    .on('fax_attempts')
    .columns(['provider', 'provider_id'])
    .where(sql.ref('provider_id'), 'is not', null)
    .execute()
  await db.schema
    .createTable('fax_timeline')
    .addColumn('job_id', 'text', (column) => column.notNull().references('fax_jobs.id'))
    .addColumn('n', 'integer', required)
    .addColumn('at', 'text', required)
    .addColumn('event', 'text', required)
    .addColumn('sentence', 'text', required)
    .addColumn('until', 'text')
    .addPrimaryKeyConstraint('fax_timeline_key', ['job_id', 'n'])
    .execute()
}

async function createCounts(db: Schema): Promise<void> {
  await db.schema
    .createTable('job_counts')
    .addColumn('backend', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('jobs', 'integer', required)
    .addPrimaryKeyConstraint('job_counts_key', ['backend', 'status'])
    .execute()
  await db.schema
    .createTable('activity_hours')
    .addColumn('hour', 'text', key)
    .addColumn('delivered', 'integer', zero)
    .addColumn('failed', 'integer', zero)
    .addColumn('received', 'integer', zero)
    .execute()
}

async function createQueue(db: Schema): Promise<void> {
  await db.schema
    .createTable('queue')
    .addColumn('id', 'text', key)
    .addColumn('kind', 'text', required)
    .addColumn('subject_id', 'text', required)
    .addColumn('exclusive', 'text')
    .addColumn('lane', 'text', required)
    .addColumn('due_at', 'text', required)
    .addColumn('lease_until', 'text')
    .addColumn('occupied', 'integer', zero)
    .addColumn('behind', 'integer', zero)
    .addColumn('token', 'integer', zero)
    .addColumn('tries', 'integer', zero)
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('queue_subject', ['kind', 'subject_id'])
    .execute()
  const index = (name: string, columns: string[]) => db.schema.createIndex(`queue_${name}`).on('queue').columns(columns)
  await index('due', ['lane', 'occupied', 'behind', 'due_at', 'id']).execute()
  await index('timer', ['due_at']).execute()
  await index('line', ['exclusive', 'occupied', 'behind', 'due_at', 'id'])
    .where(sql.ref('exclusive'), 'is not', null)
    .execute()
  // The guarantee behind "one call at a time per number": the database itself refuses a second one.
  await index('one_per_number', ['exclusive']).unique().where(sql.ref('occupied'), '=', sql.lit(1)).execute()
}

async function createCallerTables(db: Schema): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('caller_key_id', 'text', required)
    .addColumn('idempotency_key', 'text', required)
    .addColumn('fingerprint', 'text', required)
    .addColumn('job_id', 'text', required)
    .addColumn('created_at', 'text', required)
    .addPrimaryKeyConstraint('idempotency_keys_key', ['caller_key_id', 'idempotency_key'])
    .execute()
  await db.schema.createIndex('idempotency_keys_oldest').on('idempotency_keys').column('created_at').execute()
  await db.schema
    .createTable('document_tokens')
    .addColumn('token_sha256', 'text', key)
    .addColumn('job_id', 'text', (column) => column.notNull().references('fax_jobs.id'))
    .addColumn('attempt_id', 'text', required)
    .addColumn('expires_at', 'text', required)
    .execute()
  await db.schema
    .createTable('api_keys')
    .addColumn('key_id', 'text', key)
    .addColumn('secret_sha256', 'text', required)
    .addColumn('name', 'text')
    .addColumn('owner', 'text')
    .addColumn('scopes', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('last_used_at', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
  await db.schema
    .createTable('saved_settings')
    .addColumn('key', 'text', key)
    .addColumn('value', 'text', required)
    .addColumn('sealed', 'integer', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('updated_by', 'text', required)
    .execute()
}

async function createInbound(db: Schema): Promise<void> {
  await db.schema
    .createTable('inbound_faxes')
    .addColumn('id', 'text', key)
    .addColumn('provider', 'text', required)
    .addColumn('provider_id', 'text', required)
    .addColumn('from_number', 'text')
    .addColumn('to_number', 'text')
    .addColumn('status', 'text', required)
    .addColumn('pages', 'integer')
    .addColumn('size_bytes', 'bigint')
    .addColumn('sha256', 'text')
    .addColumn('pdf_key', 'text')
    .addColumn('original_key', 'text')
    .addColumn('source', 'text')
    .addColumn('notification', 'text')
    .addColumn('error', 'text')
    .addColumn('is_test', 'integer', zero)
    .addColumn('fetch_tries', 'integer', zero)
    .addColumn('next_try_at', 'text')
    .addColumn('read_at', 'text')
    .addColumn('received_at', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addUniqueConstraint('inbound_faxes_once', ['provider', 'provider_id'])
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`inbound_faxes_${name}`).on('inbound_faxes').columns(columns)
  await index('newest', ['received_at', 'id']).execute()
  await index('by_status', ['status', 'received_at', 'id']).execute()
  await index('by_number', ['to_number', 'received_at', 'id']).execute()
  await index('unread', ['received_at']).where(sql.ref('read_at'), 'is', null).execute()
  await index('documents', ['received_at']).where(sql.ref('pdf_key'), 'is not', null).execute()
}

async function createAudit(db: Schema): Promise<void> {
  await db.schema
    .createTable('audit_events')
    .addColumn('seq', 'integer', key)
    .addColumn('ts', 'text', required)
    .addColumn('event', 'text', required)
    .addColumn('job_id', 'text')
    .addColumn('key_id', 'text')
    .addColumn('backend', 'text')
    .addColumn('fields', 'text', required)
    .addColumn('prev_hash', 'text', required)
    .addColumn('hash', 'text', required)
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`audit_events_${name}`).on('audit_events').columns(columns)
  await index('by_event', ['event', 'seq']).execute()
  await index('by_job', ['job_id', 'seq']).where(sql.ref('job_id'), 'is not', null).execute()
  await db.schema
    .createTable('audit_head')
    .addColumn('id', 'integer', key)
    .addColumn('seq', 'integer', required)
    .addColumn('hash', 'text', required)
    .execute()
  await sql`insert into audit_head (id, seq, hash) values (1, 0, '')`.execute(db)
}

/** All tables of `tables.ts`. */
export async function up(db: Schema): Promise<void> {
  await createJobs(db)
  await createAttempts(db)
  await createCounts(db)
  await createQueue(db)
  await createCallerTables(db)
  await createInbound(db)
  await createAudit(db)
}
