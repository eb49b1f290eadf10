import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Environment } from '@faxdeck/settings'
import Sqlite from 'better-sqlite3'
import { ifMissing } from '../base/error-code.ts'
import { type LastBackup, lastBackupName, lastBackupOf, writeLastBackup } from '../base/backups/last-backup.ts'
import { databaseName, isNoContent } from '../base/settings/data-directory.ts'
import { readEnvironment } from '../base/settings/environment.ts'
import { masterKeyName } from '../base/settings/master-key.ts'
import { allRows } from '../base/settings/rows.ts'
import { copyFile, type CopiedFile, type Manifest, manifestName, measure, refuseFull, UpkeepProblem } from './copy.ts'

interface BackupRequest {
  /** The data directory of the gateway, which may be running. */
  directory: string
  /** The folder to make. */
  target: string
  env: Environment
  now: Date
  onProgress: (files: number) => void
}

/** The address of the database of a data directory. */
export function databaseUrlOf(directory: string, env: Environment): string {
  const { values } = readEnvironment(allRows([]), { ...env, FAX_DATA_DIR: directory }, true)
  return String(values.database_url)
}

/** The database file of a data directory. @throws {UpkeepProblem} when there is none */
export function databaseOf(directory: string, env: Environment): string {
  const url = databaseUrlOf(directory, env)
  if (!url.startsWith('sqlite:')) {
    throw new UpkeepProblem(
      'The database is PostgreSQL. Back it up with pg_dump, and the data directory by copying it.',
    )
  }
  const path = resolve(url.slice('sqlite:'.length).replace(/^\/\/\//, ''))
  if (existsSync(path)) return path
  throw new UpkeepProblem(
    `There is no database at ${path}. Say where the data directory is with --data or FAX_DATA_DIR.`,
  )
}

/**
 * The address of the database of a data directory. A file that is not there is not made: the wrong folder was named.
 * @throws {UpkeepProblem} when there is none
 */
export function presentUrlOf(directory: string, env: Environment): string {
  const url = databaseUrlOf(directory, env)
  return url.startsWith('sqlite:') ? `sqlite:${databaseOf(directory, env)}` : url
}

/** A snapshot as of one moment, also while the gateway writes. */
async function snapshot(source: string, target: string): Promise<void> {
  const file = new Sqlite(source, { readonly: true, fileMustExist: true })
  try {
    // In one step: a backup that is made in several begins again whenever another process has written.
    await file.backup(target, { progress: ({ remainingPages }) => Math.max(remainingPages, 100) })
  } finally {
    file.close()
  }
  const copy = new Sqlite(target)
  try {
    // Without a log beside it, so that one file is the whole database.
    copy.pragma('journal_mode = DELETE')
    const verdict = copy.pragma('quick_check', { simple: true })
    if (verdict !== 'ok')
      throw new UpkeepProblem(`The database is damaged: ${String(verdict)}. Restore an older backup.`)
  } finally {
    copy.close()
  }
}

async function copyDatabase(source: string, target: string): Promise<Omit<CopiedFile, 'path'>> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await snapshot(source, target)
  return measure(target)
}

/** A damaged one is copied as it is: without it there would be no backup at all. */
async function copyLineDatabase(source: string, target: string): Promise<Omit<CopiedFile, 'path'>> {
  try {
    return await copyDatabase(source, target)
  } catch {
    await rm(target, { force: true })
    return copyFile(source, target)
  }
}

/** Where pages lie while a fax is under way, and documents while they are looked at: drawn or asked for again. */
const passing = ['scratch', 'pages', 'previews'].map((folder) => folder + sep)

/** What a line writes for a program of its own: passwords as they are among it, and all of it anew at the next start. */
const ofPrograms = /^lines[\\/][^\\/]+[\\/]engine[\\/]/

/** The database of a line, which may be written meanwhile, and what SQLite and locks put beside it. */
const ofLine = /^lines[\\/][^\\/]+[\\/][^\\/]+\.db$/
const besideLine = /^lines[\\/][^\\/]+[\\/][^\\/]+\.db(-wal|-shm|\.lock|\.lock-journal)$/

/** Locks, logs of the database, and what is only passing, are no part of a backup. */
function isIncluded(path: string, database: string): boolean {
  if (
    passing.some((folder) => path.startsWith(folder)) ||
    path.endsWith('.tmp') ||
    ofPrograms.test(path) ||
    besideLine.test(path)
  )
    return false
  // What an earlier backup noted. The one that is restored notes itself.
  if (path === lastBackupName) return false
  const passed = ['-wal', '-shm', '-journal', '-reserve', '.lock', '.lock-journal']
  return path !== database && !passed.some((end) => path === database + end)
}

/** The files of a folder and all below, without caches, and without what a file system keeps for itself, which none may read. */
async function listFiles(directory: string): Promise<string[]> {
  const entries = (await readdir(directory, { withFileTypes: true })).filter(({ name }) => !isNoContent(name))
  const inside = entries.map(async (entry) => {
    if (!entry.isDirectory()) return [entry]
    return readdir(join(directory, entry.name), { recursive: true, withFileTypes: true })
  })
  const files = (await Promise.all(inside)).flat().filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name))
}

async function copyNew(
  { directory, target, onProgress }: BackupRequest,
  database: string,
  kept: Map<string, CopiedFile>,
) {
  for (const source of await listFiles(directory)) {
    const path = relative(directory, source)
    if (kept.has(path) || !isIncluded(path, database)) continue
    // Files that are not there any more belong to documents whose time is over.
    const copy = ofLine.test(path) ? copyLineDatabase : copyFile
    const copied = await copy(source, join(target, path)).catch(ifMissing(undefined))
    if (copied) kept.set(path, { path, ...copied })
    onProgress(kept.size)
  }
}

/** A master key that was changed after it was copied does not open the database that was copied afterwards. */
async function refuseChangedKey({ directory, target }: BackupRequest, kept: Map<string, CopiedFile>): Promise<void> {
  const copied = kept.get(masterKeyName)
  if (!copied) return
  const present = await measure(join(directory, masterKeyName))
  if (present.sha256 === copied.sha256) return
  throw new UpkeepProblem(`The master key was changed while the backup was made. Remove ${target} and run it again.`)
}

/** What the snapshot names and only a bucket holds. */
function leftOut(path: string): string[] {
  const file = new Sqlite(path, { readonly: true })
  try {
    const hasPlaces = file.prepare("select 1 from sqlite_master where name = 'storage_places'").get() !== undefined
    const inBucket =
      hasPlaces && file.prepare("select 1 from storage_places where kind = 's3' and id is not null").get() !== undefined
    return inBucket ? ['s3'] : []
  } finally {
    file.close()
  }
}

/** Lets the gateway know of the backup. One that is of use must not fail because of it. */
function note(directory: string, backup: LastBackup): boolean {
  try {
    writeLastBackup(directory, backup)
    return true
  } catch {
    return false
  }
}

/**
 * Copies database, documents, keys and settings as they belong together. Documents are written once and before the rows
 * that name them: those copied before the snapshot and those that came meanwhile are all that it names.
 * @returns what was made, and whether the gateway knows of it
 * @throws {UpkeepProblem} when there is nothing to back up, or the folder is not empty
 */
export async function backUp(order: BackupRequest): Promise<Manifest & { isNoted: boolean }> {
  const { directory, target } = order
  const database = databaseOf(directory, order.env)
  if (!relative(directory, target).startsWith('..')) {
    throw new UpkeepProblem(`${target} is inside the data directory. Choose a folder outside it.`)
  }
  await refuseFull(target)
  await mkdir(target, { recursive: true, mode: 0o700 })
  const kept = new Map<string, CopiedFile>()
  const own = relative(directory, database)
  await copyNew(order, own, kept)
  const copy = join(target, databaseName)
  kept.set(databaseName, { path: databaseName, ...(await copyDatabase(database, copy)) })
  await copyNew(order, own, kept)
  await refuseChangedKey(order, kept)
  const files = [...kept.values()]
  const made: Manifest = { format: 1, made_at: order.now.toISOString(), left_out: leftOut(copy), files }
  await writeLast(join(target, manifestName), JSON.stringify(made, null, 1))
  return { ...made, isNoted: note(directory, lastBackupOf(made, target)) }
}

async function writeLast(path: string, content: string): Promise<void> {
  for (const [name, text] of [
    [path, content],
    [dirname(path), undefined],
  ] as const) {
    const file = await open(name, text === undefined ? 'r' : 'wx', 0o600)
    try {
      if (text !== undefined) await file.writeFile(text)
      await file.sync()
    } catch (error) {
      throw new UpkeepProblem(`${basename(name)} could not be written.`, { cause: error })
    } finally {
      await file.close()
    }
  }
}
