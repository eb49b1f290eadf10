import { type Kysely, sql } from 'kysely'
import type { Engine } from './database.ts'
import type { Tables } from './tables/tables.ts'

/** Changes of a row, by its id; what is undefined stays as it is. */
export interface RowChange {
  id: string
  change: object
}

const columnsOf = (change: object) =>
  Object.entries(change)
    .flatMap(([column, value]) => (value === undefined ? [] : column))
    .sort()
    .join()

/**
 * Changes rows of a table. Those that change in the same columns share a statement, whose text is always the same, so
 * that it is prepared once: the rows are one parameter.
 */
export async function updateAll(
  db: Kysely<Tables>,
  engine: Engine,
  table: 'fax_jobs' | 'fax_attempts',
  changes: readonly RowChange[],
): Promise<void> {
  const name = sql.table(table)
  const byColumns = Object.groupBy(changes, ({ change }) => columnsOf(change))
  for (const [columns, alike = []] of Object.entries(byColumns)) {
    const rows = JSON.stringify(alike.map(({ id, change }) => ({ ...change, id })))
    const read = (column: string) =>
      engine === 'sqlite' ? sql`v.value ->> ${sql.lit(column)}` : sql.ref(`v.${column}`)
    const set = sql.join(columns.split(',').map((column) => sql`${sql.ref(column)} = ${read(column)}`))
    const from = engine === 'sqlite' ? sql`json_each(${rows})` : sql`json_populate_recordset(null::${name}, ${rows})`
    await sql`update ${name} set ${set} from ${from} v where ${name}.id = ${read('id')}`.execute(db)
  }
}
