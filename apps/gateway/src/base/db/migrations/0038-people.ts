import { type Kysely, sql } from 'kysely'

/** People who sign in by themselves, and their sessions. Of passwords, links and cookies only hashes are kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('people')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('suspended', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('password_hash', 'text')
    .addColumn('link_sha256', 'text', (column) => column.unique())
    .addColumn('link_expires_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('last_sign_in_at', 'text')
    .execute()
  await db.schema
    .createTable('person_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id'))
    .addColumn('token_sha256', 'text', (column) => column.notNull().unique())
    .addColumn('previous_sha256', 'text')
    .addColumn('previous_until', 'text')
    .addColumn('rotated_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('active_at', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('browser', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('person_sessions_of_person').on('person_sessions').column('person_id').execute()
  await db.schema
    .createIndex('person_sessions_previous')
    .on('person_sessions')
    .column('previous_sha256')
    .where(sql.ref('previous_sha256'), 'is not', null)
    .execute()
}
