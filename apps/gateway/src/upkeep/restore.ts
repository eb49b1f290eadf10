import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { newMark } from '../db/mark.ts'
import { databaseName } from './backup.ts'
import { holdIn, withDatabase } from './hold.ts'
import { copyFile, type CopiedFile, type Manifest, manifest, manifestName, refuseFull, UpkeepProblem } from './copy.ts'
import { assertOwn } from './own-directory.ts'
import { textKeyName } from '../page-text/cipher.ts'

interface RestoreRequest {
  /** The folder that `backUp` has made. */
  source: string
  /** The data directory to make. */
  directory: string
  now: () => Date
  onProgress: (files: number, of: number) => void
}

/** What was put back. */
export interface Restored {
  made: Manifest
  /** Faxes that had not ended in the backup: they wait for a person. */
  held: number
}

async function readManifest(source: string): Promise<Manifest> {
  const text = await readFile(join(source, manifestName), 'utf8').catch(() => undefined)
  if (text === undefined) throw new UpkeepProblem(`${source} is not a complete backup: it has no ${manifestName}.`)
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
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

/** Copies every file and compares it with its checksum. */
async function copyAll({ source, onProgress }: RestoreRequest, { files }: Manifest, target: string): Promise<void> {
  for (const [index, { path, size, sha256 }] of files.entries()) {
    const copied = await copyFile(join(source, path), join(target, path)).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    })
    if (copied?.sha256 !== sha256 || copied.size !== size) {
      throw new UpkeepProblem(`${path} is missing from the backup or was changed. Nothing was restored.`)
    }
    onProgress(index + 1, files.length)
  }
}

/**
 * Makes a data directory from a backup, whole or not at all: every file is compared with its checksum. Faxes that had
 * not ended when the backup was made are held, because they may have been sent since.
 * @throws {UpkeepProblem} when a file is missing or differs, or the data directory is not empty
 */
export async function restore(order: RestoreRequest): Promise<Restored> {
  const { source, directory, now } = order
  const made = await readManifest(source)
  if (made.files.some(climbs)) throw new UpkeepProblem('The backup names files outside of itself and is not restored.')
  await refuseFull(directory)
  if (existsSync(directory)) assertOwn(directory)
  const passing = `${directory}.restoring-${process.pid}`
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  await mkdir(passing, { mode: 0o700 })
  try {
    await copyAll(order, made, passing)
    const database = join(passing, databaseName)
    markAnew(database)
    const { held } = await withDatabase(`sqlite:${database}`, (opened) => holdIn(opened, new Date(made.made_at), now))
    // Takes the place of an empty folder, and of no other.
    await rename(passing, directory)
    return { made, held }
  } catch (error) {
    await rm(passing, { recursive: true, force: true })
    throw error
  }
}
