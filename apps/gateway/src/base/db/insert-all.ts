import type { InsertObject, Kysely } from 'kysely'
import type { Tables } from './tables/tables.ts'

/** In one statement: SQLite takes 32,766 values, PostgreSQL 65,535, and our widest table has fewer than a hundred columns. */
const maxRows = 200

/** Inserts rows, however many, or none. */
export async function insertAll<T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly InsertObject<Tables, T>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += maxRows) {
    await db
      .insertInto(table)
      .values(rows.slice(at, at + maxRows))
      .execute()
  }
}
