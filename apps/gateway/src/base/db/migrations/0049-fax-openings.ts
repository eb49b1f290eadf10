import type { Kysely } from 'kysely'

/** Faxes that people opened outside of their groups by giving a reason, and tries at faxes that are not there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fax_openings')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('person_id', 'text', (column) => column.notNull())
    .addColumn('fax_id', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('until', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('fax_openings_person').on('fax_openings').columns(['person_id', 'created_at']).execute()
  await db.schema.createIndex('fax_openings_fax').on('fax_openings').column('fax_id').execute()
}
