import { type Kysely, sql } from 'kysely'

/** What keeps documents from being deleted, rules for groups, and files whose deletion is recorded but not done yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('legal_holds')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('placed_by', 'text', (column) => column.notNull())
    .addColumn('placed_at', 'text', (column) => column.notNull())
    .addColumn('lifted_by', 'text')
    .addColumn('lifted_at', 'text')
    .addColumn('lift_reason', 'text')
    .execute()
  await db.schema
    .createIndex('legal_holds_in_force')
    .on('legal_holds')
    .columns(['kind', 'subject'])
    .where(sql.ref('lifted_at'), 'is', null)
    .execute()
  await db.schema
    .createTable('retention_rules')
    .addColumn('direction', 'text', (column) => column.notNull())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('days', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('retention_rules_pkey', ['direction', 'group_id'])
    .execute()
  await db.schema
    .createTable('document_removals')
    .addColumn('document_key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('recorded_at', 'text', (column) => column.notNull())
    .execute()
}
