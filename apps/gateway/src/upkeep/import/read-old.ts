import { basename } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { UpkeepProblem } from '../copy.ts'

type Cell = string | number | null
export type OldRow = Readonly<Record<string, Cell>>

/** What an earlier gateway's database holds, as it is. Columns differ between its versions. */
export interface OldInstallation {
  jobs: OldRow[]
  inbound: OldRow[]
  keys: OldRow[]
  mailboxes: OldRow[]
  rules: OldRow[]
  /** Rows of the tables that nothing is read from. */
  others: { table: string; rows: number }[]
}

/** Tables that every earlier gateway has, with the name that a few branches may use. */
const expected = [['fax_jobs'], ['inbound_faxes', 'inbound_fax'], ['api_keys']]
const known = new Set([...expected.flat(), 'mailboxes', 'inbound_rules'])
/** They say which callbacks and calls came before, and which changes the tables have been through. */
const notNeeded = new Set(['inbound_events', 'idempotency_keys', 'alembic_version'])

/**
 * Reads everything that is imported.
 * @param without expected tables that this database may lack
 * @throws {UpkeepProblem} when an expected table is missing: its rows would be left behind without a word
 */
export function readOld(database: Sqlite.Database, without: readonly string[] = []): OldInstallation {
  const listed = database.prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
  const tables = (listed.all() as { name: string }[]).map(({ name }) => name)
  for (const [table = '', ...names] of expected) {
    if (without.includes(table) || [table, ...names].some((name) => tables.includes(name))) continue
    throw new UpkeepProblem(
      `The database has no table ${table}, so what it held would be left behind. Choose the right file with --database. If that gateway never had this table, add --without ${table}.`,
    )
  }
  const rowsOf = (...names: string[]) =>
    names.flatMap((name) =>
      tables.includes(name) ? (database.prepare(`select * from ${name}`).all() as OldRow[]) : [],
    )
  const countOf = (table: string) =>
    database
      .prepare(`select count(*) from "${table.replaceAll('"', '""')}"`)
      .pluck()
      .get() as number
  return {
    jobs: rowsOf('fax_jobs'),
    inbound: rowsOf('inbound_faxes', 'inbound_fax'),
    keys: rowsOf('api_keys'),
    mailboxes: rowsOf('mailboxes'),
    rules: rowsOf('inbound_rules'),
    others: tables
      .filter((table) => !known.has(table) && !notNeeded.has(table))
      .map((table) => ({ table, rows: countOf(table) })),
  }
}

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

/** Whether a fax has a time that can be kept. */
export const hasTime = (row: OldRow) => (instantOf(row, 'received_at') ?? instantOf(row, 'created_at')) !== undefined

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
