import { basename } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { columnsOf } from './find.ts'

type Cell = string | number | null
export type OldRow = Readonly<Record<string, Cell>>

/** What an earlier gateway's database holds, as it is. Columns differ between its versions. */
export interface OldInstallation {
  jobs: OldRow[]
  inbound: OldRow[]
  keys: OldRow[]
}

const rowsOf = (database: Sqlite.Database, table: string): OldRow[] =>
  columnsOf(database, table).length === 0 ? [] : (database.prepare(`select * from ${table}`).all() as OldRow[])

/** Reads everything that is imported. */
export const readOld = (database: Sqlite.Database): OldInstallation => ({
  jobs: rowsOf(database, 'fax_jobs'),
  inbound: rowsOf(database, 'inbound_fax'),
  keys: rowsOf(database, 'api_keys'),
})

/** A text that says something; null for an absent or empty one. PostgreSQL takes no NUL in a text. */
export function textOf(row: OldRow, name: string): string | null {
  const text = String(row[name] ?? '').replaceAll('\0', '')
  return text.trim() === '' ? null : text
}

/** PostgreSQL's largest integer; no fax comes near. */
const maxCount = 2 ** 31 - 1

export function countOf(row: OldRow, name: string): number | null {
  const value = Number(row[name] ?? Number.NaN)
  return Number.isInteger(value) && value >= 0 && value <= maxCount ? value : null
}

/** An instant as it is kept here. Earlier ones have no zone and are UTC. Undefined when it is none. */
export function instantOf(row: OldRow, name: string): string | undefined {
  const text = textOf(row, name)
  if (text === null) return undefined
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text)
  const time = new Date(hasZone ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** 32 hexadecimal digits, also written with dashes. Undefined for another kind of id. */
export function idOf(row: OldRow): string | undefined {
  const id = (textOf(row, 'id') ?? '').toLowerCase().replaceAll('-', '')
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}

/** The document of a row among the files of the folder: by its path's last part, or by the id at its beginning. */
export function documentOf(row: OldRow, files: ReadonlyMap<string, string>, columns: readonly string[]) {
  const raw = textOf(row, 'id') ?? ''
  const stored = columns.flatMap((name) => textOf(row, name) ?? []).map((path) => basename(path))
  const name = [...stored, `${raw}.pdf`, `${raw}.tiff`, `${raw}.tif`, `${raw}-`].find((each) => files.has(each))
  return name === undefined ? undefined : files.get(name)
}
