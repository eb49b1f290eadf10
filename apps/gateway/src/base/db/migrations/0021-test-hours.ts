import { type Kysely, sql } from 'kysely'

/** Faxes that only the test line took are counted apart, so that they are not shown as delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['test_delivered', 'test_failed']) {
    await db.schema
      .alterTable('activity_hours')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(sql.lit(0)))
      .execute()
  }
}
