import { type Kysely, sql } from 'kysely'

/**
 * What of the numbers that are stored is still to be written in E.164, and how far that is. It is done after the
 * migrations, in pieces and with the country of the settings, by `respelling/`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('number_spelling')
    .addColumn('list', 'text', (column) => column.primaryKey())
    .addColumn('after', 'text', (column) => column.notNull())
    .addColumn('changed', 'integer', (column) => column.notNull())
    .execute()
  for (const list of ['holds', 'groups', 'received', 'sent'])
    await sql`insert into number_spelling (list, after, changed) values (${sql.lit(list)}, '', 0)`.execute(db)
}
