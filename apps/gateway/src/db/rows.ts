import { type CompiledQuery, type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables/tables.ts'

const mostTexts = 300
/** SQL that has been written before, by dialect: for a small query, writing it costs more than running it. */
const texts = new WeakMap<object, Map<string, CompiledQuery>>()

function textsOf(db: Kysely<Tables>): Map<string, CompiledQuery> {
  const { adapter } = db.getExecutor()
  const present = texts.get(adapter)
  if (present) return present
  const fresh = new Map<string, CompiledQuery>()
  texts.set(adapter, fresh)
  return fresh
}

/** Runs a query whose SQL depends on `name` alone, with what `write` would put into it at its places, in order. */
export function runKept<R>(
  db: Kysely<Tables>,
  name: string,
  parameters: readonly unknown[],
  write: () => RawBuilder<unknown>,
): Promise<QueryResult<R>> {
  const known = textsOf(db)
  const present = known.get(name)
  if (present) return db.executeQuery<R>({ ...present, parameters })
  if (known.size >= mostTexts) known.clear()
  const query = write().compile(db)
  known.set(name, query)
  return db.executeQuery<R>(query)
}

type Column = [name: string, value: unknown]
const columnsOf = (row: object): Column[] =>
  (Object.entries(row) as Column[]).filter(([, value]) => value !== undefined)
const namesOf = (columns: readonly Column[]) => columns.map(([name]) => name).join()
const valuesOf = (columns: readonly Column[]) => columns.map(([, value]) => value)
const equals = ([column, value]: Column) => sql`${sql.ref(column)} = ${value}`

/** Rows in one statement at most. Few go in one; powers of two above them keep the number of texts small. */
const [few, mostInserted] = [8, 64]

const chunkOf = (left: number) => (left <= few ? left : Math.min(mostInserted, 2 ** Math.floor(Math.log2(left))))

/** Inserts whole rows. Only for rows that are written often: their SQL is kept. */
export async function insertRows<T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables[T] & string)[]
  for (let at = 0; at < rows.length;) {
    const size = chunkOf(rows.length - at)
    const lines = rows.slice(at, at + size).map((row) => columns.map((column): unknown => row[column]))
    await runKept(db, `insert ${table} ${columns.join()} ${size}`, lines.flat(), () => {
      const values = lines.map((line) => sql`(${sql.join(line)})`)
      const into = sql`${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})`
      return sql`insert into ${into} values ${sql.join(values)}`
    })
    at += size
  }
}

/** The same values, some of them repeated: lists of many lengths share a few texts, which the database keeps prepared. */
export function padded<V>(values: readonly V[]): V[] {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return Array.from({ length }, (_, at) => values[at % values.length] as V)
}

/** Changes the row with an id. Only for rows that change often: the SQL is kept. */
export async function updateRow<T extends 'fax_jobs' | 'fax_attempts'>(
  db: Kysely<Tables>,
  table: T,
  id: string,
  change: Partial<Tables[T]>,
): Promise<void> {
  const columns = columnsOf(change)
  await runKept(db, `update ${table} ${namesOf(columns)}`, [...valuesOf(columns), id], () => {
    return sql`update ${sql.table(table)} set ${sql.join(columns.map(equals))} where id = ${id}`
  })
}

/** The row, or one of the rows, whose columns hold these values. Only for rows that are read often: the SQL is kept. */
export async function findRow<T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  holding: Partial<Tables[T]>,
): Promise<Tables[T] | undefined> {
  const columns = columnsOf(holding)
  const { rows } = await runKept<Tables[T]>(db, `find ${table} ${namesOf(columns)}`, valuesOf(columns), () => {
    return sql`select * from ${sql.table(table)} where ${sql.join(columns.map(equals), sql` and `)} limit 1`
  })
  return rows[0]
}
