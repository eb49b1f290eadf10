import type { Kysely } from 'kysely'

/** How far the audit trail was copied to places outside. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('trail_copies')
    .addColumn('sink', 'text', (column) => column.primaryKey())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text')
    .addColumn('anchored_at', 'text')
    .addColumn('error', 'text')
    .addColumn('failing_since', 'text')
    .addColumn('cut_at', 'integer')
    .addColumn('owner', 'text')
    .addColumn('lease_until', 'text')
    .execute()
}
