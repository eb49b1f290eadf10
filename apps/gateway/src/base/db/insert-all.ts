import type { CompiledQuery, DialectAdapter, Insertable, Kysely } from 'kysely'
import type { Tables } from './tables/tables.ts'

/** In one statement: SQLite takes 32,766 values, PostgreSQL 65,535, and our widest table has fewer than a hundred columns. */
const maxRows = 200
const maxStatements = 500

/** Compiling a statement costs more than SQLite needs to run it. One is good for all rows with the same columns. */
const compiled = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>()

function statementFor<T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): CompiledQuery {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Insertable<Tables[T]>)[]
  const values = rows.flatMap((row) => columns.map((column): unknown => row[column]))
  const { adapter } = db.getExecutor()
  const known = compiled.get(adapter) ?? new Map<string, CompiledQuery>()
  compiled.set(adapter, known)
  const name = [table, rows.length, ...columns].join()
  const isPlain = rows.every((row) => Object.keys(row).length === columns.length) && !values.includes(undefined)
  const statement = (isPlain ? known.get(name) : undefined) ?? db.insertInto(table).values(rows).compile()
  // Values are bound in the order of the columns, as many as there are.
  if (!isPlain || statement.parameters.length !== values.length) return statement
  if (known.size >= maxStatements) known.clear()
  known.set(name, statement)
  return { ...statement, parameters: values }
}

/** Inserts rows, however many, or none. */
export async function insertAll<T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += maxRows) {
    await db.executeQuery(statementFor(db, table, rows.slice(at, at + maxRows)))
  }
}
