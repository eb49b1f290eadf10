import type { Kysely } from 'kysely'

/** Up to when a provider's own lists have been compared with our records. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('provider_sweeps')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('direction', 'text', (column) => column.notNull())
    .addColumn('swept_until', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('provider_sweeps_key', ['provider', 'direction'])
    .execute()
}
