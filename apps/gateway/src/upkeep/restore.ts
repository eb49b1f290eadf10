import { existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { hasCode, ifMissing } from '../base/error-code.ts'
import { type LastBackup, lastBackupOf, readLastBackup, writeLastBackup } from '../base/backups/last-backup.ts'
import { newMark } from '../base/db/mark.ts'
import { textKeyName } from '../paper/page-text/cipher.ts'
import { databaseName, isNoContent } from '../base/settings/data-directory.ts'
import { lockInstance } from '../start/instance-lock.ts'
import { moveUp, prepared, preparing, syncFolder } from '../start/interrupted-restore.ts'
import { copyFile, type CopiedFile, type Manifest, manifest, manifestName, refuseFull, UpkeepProblem } from './copy.ts'
import { holdIn, withDatabase } from './hold.ts'

/** Does something with the rights that the process was started with. It must not wait: nothing else may run meanwhile. */
type WithOwnRights = <T>(work: () => T) => T

/**
 * Lets root go on as the user who owns a folder, so that what is written there belongs to that user. Others go on as they are.
 * @param directory is there
 */
function actAsOwner(directory: string): WithOwnRights {
  const { uid, gid } = statSync(directory)
  if (process.getuid?.() !== 0 || uid === 0) return (work) => work()
  process.setgroups?.([gid])
  process.setegid?.(gid)
  process.seteuid?.(uid)
  return (work) => {
    process.seteuid?.(0)
    try {
      return work()
    } finally {
      process.seteuid?.(uid)
    }
  }
}

interface RestoreRequest {
  /** The folder that `backUp` has made. */
  source: string
  /** The data directory: empty, or not there. */
  directory: string
  now: () => Date
  onProgress: (files: number, of: number) => void
  /** Called before each change that a kill may precede. */
  onStep?: (step: string) => void
}

/** What was put back. */
export interface Restored {
  backup: LastBackup
  /** Faxes that had not ended in the backup: they wait for a person. Unknown where an earlier restore was only finished. */
  held: number | undefined
}

function readManifest(source: string): Manifest {
  try {
    return manifest.parse(JSON.parse(readFileSync(join(source, manifestName), 'utf8')))
  } catch (error) {
    if (hasCode(error, 'ENOENT'))
      throw new UpkeepProblem(`${source} is not a complete backup: it has no ${manifestName}.`)
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error
    throw new UpkeepProblem(`The ${manifestName} of ${source} cannot be read. Use another backup.`)
  }
}

const climbs = ({ path }: CopiedFile) => path.startsWith('/') || path.split(/[\\/]/).includes('..')

/**
 * What is restored is a database of its own: documents that the first has stored since, perhaps in the same bucket, are
 * none of its strays. One of before there were marks gets its own when it starts.
 */
function markAnew(path: string): void {
  const file = new Sqlite(path)
  try {
    const isMarked = file.prepare("select 1 from sqlite_master where name = 'installation'").get() !== undefined
    if (isMarked) file.prepare('update installation set mark = ?').run(newMark())
    const hasKeys = file.prepare("select 1 from sqlite_master where name = 'document_keys'").get() !== undefined
    // Some may have been copied before they were encrypted, the database after it: the gateway settles each when it starts.
    if (hasKeys) {
      file.prepare("update document_keys set state = 'pending' where document_key <> ?").run(textKeyName)
      file.exec('update installation set has_plain = 1')
    }
  } finally {
    file.close()
  }
}

async function copyAll(
  { source, onProgress, onStep }: RestoreRequest,
  { files }: Manifest,
  target: string,
  open: (path: string) => number,
): Promise<void> {
  for (const [index, { path, size, sha256 }] of files.entries()) {
    onStep?.('copying')
    const copied = await copyFile(join(source, path), join(target, path), open).catch(ifMissing(undefined))
    if (copied?.sha256 !== sha256 || copied.size !== size) {
      throw new UpkeepProblem(`${path} is missing from the backup or was changed. Nothing was restored.`)
    }
    onProgress(index + 1, files.length)
  }
}

/** Makes the names in a folder and all below survive a power failure. */
async function syncFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name))
  syncFolder(folder)
}

/** Everything of the backup, complete and ready to be moved up. @returns how many faxes are held */
async function prepare(order: RestoreRequest, made: Manifest, open: (path: string) => number): Promise<number> {
  const { directory, source, now, onStep } = order
  const folder = preparing(directory)
  await mkdir(folder, { mode: 0o700 })
  await copyAll(order, made, folder, open)
  onStep?.('copied')
  const database = join(folder, databaseName)
  markAnew(database)
  const { held } = await withDatabase(`sqlite:${database}`, (opened) => holdIn(opened, new Date(made.made_at), now))
  await rm(`${database}.lock`)
  onStep?.('held')
  writeLastBackup(folder, lastBackupOf(made, source))
  await syncFolders(folder)
  onStep?.('synced')
  await rename(folder, prepared(directory))
  syncFolder(directory)
  return held
}

/** Finishes a restore that was interrupted after everything was prepared. @throws {UpkeepProblem} when it was of another backup */
function finish(directory: string, made: Manifest): Restored {
  moveUp(directory)
  const backup = readLastBackup(directory)
  if (backup?.made_at === made.made_at) return { backup, held: undefined }
  throw new UpkeepProblem(
    `An earlier restore to ${directory} was interrupted near its end and is finished now: it has the backup of ${backup?.made_at ?? 'an unknown time'}. To restore another one, move what ${directory} holds elsewhere first.`,
  )
}

/** @throws {UpkeepProblem} saying who may, for a user who may not write there */
function lock(directory: string): () => void {
  const unlock = lockOrRefuse(directory)
  if (unlock) return unlock
  throw new UpkeepProblem(`A gateway or another restore is using ${directory}. Stop the gateway first.`)
}

function lockOrRefuse(directory: string) {
  try {
    return lockInstance(join(directory, databaseName))
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error
    throw new UpkeepProblem(
      `${directory} cannot be written (${error.code}). Run this as the user of the gateway, or as root: sudo faxdeck restore …`,
    )
  }
}

/**
 * Fills an empty data directory from a backup, whole or not at all, whenever it is interrupted: every file is compared with
 * its checksum. Nothing outside of the directory is written. Faxes that had not ended when the backup was made are held,
 * because they may have been sent since.
 * @throws {UpkeepProblem} when a file is missing or differs, or the data directory is not empty
 */
export async function restore(order: RestoreRequest): Promise<Restored> {
  const { directory } = order
  const made = await mkdir(directory, { recursive: true, mode: 0o700 })
  try {
    return await restoreInto(order)
  } catch (error) {
    if (made !== undefined && (await readdir(directory)).every(isNoContent)) await rm(made, { recursive: true })
    throw error
  }
}

async function restoreInto(order: RestoreRequest): Promise<Restored> {
  const { source, directory, onStep } = order
  const withOwnRights = actAsOwner(directory)
  // What the user of the gateway could exchange is read with that user's rights.
  const isForeign = withOwnRights(() => statSync(source, { throwIfNoEntry: false })?.uid) !== statSync(directory).uid
  const reading = isForeign ? withOwnRights : <T>(work: () => T) => work()
  const made = reading(() => readManifest(source))
  if (made.files.some(climbs)) throw new UpkeepProblem('The backup names files outside of itself and is not restored.')
  const unlock = lock(directory)
  try {
    if (existsSync(prepared(directory))) return finish(directory, made)
    await rm(preparing(directory), { recursive: true, force: true })
    await refuseFull(directory)
    // Caches that earlier versions copied.
    const files = made.files.filter(({ path }) => !isNoContent(path.split(/[\\/]/, 1)[0] ?? ''))
    const held = await prepare(order, { ...made, files }, (path) => reading(() => openSync(path, 'r'))).catch(
      async (error: unknown) => {
        await rm(preparing(directory), { recursive: true, force: true })
        throw error
      },
    )
    moveUp(directory, onStep)
    return { backup: lastBackupOf(made, source), held }
  } finally {
    unlock()
  }
}
