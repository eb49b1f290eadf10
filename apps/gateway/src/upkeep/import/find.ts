import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { UpkeepProblem } from '../copy.ts'

/** Folders are looked through so deep: an installation keeps its documents a step or two below. */
const deepest = 4
const neverLookedAt = new Set(['node_modules', '.git', '.venv', 'venv'])

/** The plain files below a folder. Links are not followed: they may lead out of it. */
export function filesBelow(folder: string, depth = 0): string[] {
  if (depth > deepest) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isFile()) return [path]
    return entry.isDirectory() && !neverLookedAt.has(entry.name) ? filesBelow(path, depth + 1) : []
  })
}

/**
 * Opens a copy of a database: the file itself is only read, and nothing is written beside it. What SQLite had not yet
 * put into the file stands in the log beside it, and comes along.
 */
export function withCopy<T>(path: string, read: (database: Sqlite.Database) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-import-'))
  try {
    const copy = join(folder, 'copy.db')
    for (const end of ['', '-wal', '-journal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end)
    const database = new Sqlite(copy)
    try {
      return read(database)
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The columns of a table; empty when there is none. */
export const columnsOf = (database: Sqlite.Database, table: string): string[] =>
  (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)

/** Whether it is a database of the kind that is imported, and not one of ours. */
function isImportable(path: string): boolean {
  try {
    return withCopy(path, (database) => {
      const needed = ['id', 'to_number', 'status', 'created_at']
      const columns = columnsOf(database, 'fax_jobs')
      return needed.every((name) => columns.includes(name)) && columnsOf(database, 'audit_head').length === 0
    })
  } catch {
    return false
  }
}

/**
 * The database of an earlier gateway in its folder.
 * @param named its path, when there are several
 * @throws {UpkeepProblem} when there is none, or more than one
 */
export function findDatabase(folder: string, files: readonly string[], named: string | undefined): string {
  const candidates = named === undefined ? files.filter((path) => /\.(db|sqlite3?)$/.test(path)) : [resolve(named)]
  const found = candidates.filter(isImportable)
  const [first, second] = found
  if (first === undefined)
    throw new UpkeepProblem(
      `${named ?? folder} holds no database that can be imported: a SQLite file with the table fax_jobs of an earlier gateway.`,
    )
  if (second !== undefined)
    throw new UpkeepProblem(`${folder} holds several databases: ${found.join(', ')}. Choose one with --database.`)
  return first
}

/** Names that are one file each: a name in two folders may be another fax's document. */
function unambiguous(named: readonly (readonly [string, string])[]): Map<string, string> {
  const found = new Map<string, string | undefined>()
  for (const [name, path] of named) found.set(name, found.has(name) && found.get(name) !== path ? undefined : path)
  return new Map([...found].flatMap(([name, path]) => (path === undefined ? [] : [[name, path] as const])))
}

const isDocument = (path: string) => /\.(pdf|tiff?|txt|png|jpe?g)$/i.test(path)

/** The documents of a folder by name, since their paths were others on the old machine; uploads also by `<id>-`. */
export function byName(all: readonly string[]): ReadonlyMap<string, string> {
  const files = all.filter(isDocument)
  const uploads = files.flatMap((path) => {
    const [beginning] = /^[0-9a-f]{32}-/.exec(basename(path)) ?? []
    return beginning === undefined ? [] : [[beginning, path] as const]
  })
  return unambiguous([...uploads, ...files.map((path) => [basename(path), path] as const)])
}
