import { type Kysely, sql } from 'kysely'

/** Groups own numbers and have members. Each fax remembers the group it came to, or none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('groups')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('group_numbers')
    .addColumn('number', 'text', (column) => column.primaryKey())
    .addColumn('group_id', 'text', (column) => column.notNull().references('groups.id'))
    .execute()
  await db.schema
    .createTable('group_members')
    .addColumn('group_id', 'text', (column) => column.notNull().references('groups.id'))
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id'))
    .addPrimaryKeyConstraint('group_members_pkey', ['group_id', 'person_id'])
    .execute()
  for (const table of ['fax_jobs', 'inbound_faxes']) {
    await db.schema.alterTable(table).addColumn('group_id', 'text').execute()
    await db.schema
      .createIndex(`${table}_by_group`)
      .on(table)
      .columns(['group_id', 'created_at', 'id'])
      .where(sql.ref('group_id'), 'is not', null)
      .execute()
  }
}
