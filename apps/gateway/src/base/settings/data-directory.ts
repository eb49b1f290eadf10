import { accessSync, constants, mkdirSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, ifMissing } from '../error-code.ts'
import { StorageProblem } from '../storage/storage.ts'
import { StartProblem } from './start-problem.ts'

/** The file of the embedded database, unless DATABASE_URL names another one. */
export const databaseName = 'faxdeck.db'

/** What a folder may hold and still be empty to us: a file system's own folder, caches of a user whose home it is, our lock, and the room that is kept back. */
export const isNoContent = (name: string): boolean =>
  ['lost+found', '.cache', `${databaseName}-reserve`].includes(name) || name.startsWith(`${databaseName}.lock`)

/** Where files lie that do not outlive a call. */
export const scratchIn = (directory: string): string => join(directory, 'scratch')

/** Where documents are kept, unless they are in a bucket. */
export const documentsIn = (directory: string): string => join(directory, 'documents')

const own = ['scratch', 'lines', 'pages'] as const

/**
 * Makes the data directory and its own folders, readable by their owner only. They are made at the start and never
 * again: what is written after the directory was moved or its volume unmounted fails, instead of lying where nobody
 * looks for it.
 * @throws {StartProblem} when it cannot be made or written
 */
export function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    for (const folder of own) mkdirSync(join(directory, folder), { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new StartProblem(
      `The data directory ${directory} cannot be written (${code}). Make it writable for this user, or set FAX_DATA_DIR to another folder.`,
    )
  }
}

/**
 * Before something is written into the data directory itself: whether it is the one that was prepared at the start.
 * @throws {StorageProblem} `displaced`
 */
export async function requireDataDirectory(directory: string): Promise<void> {
  const found = await stat(join(directory, own[0])).catch(ifMissing(undefined))
  if (found) return
  throw new StorageProblem(
    'displaced',
    `The data directory ${directory} is not the one that the gateway was started with. Mount its volume or move it back; nothing was saved.`,
  )
}

/**
 * Makes one folder whose parent is there already.
 * @throws what the file system refused, `ENOENT` without the parent
 */
export async function makeFolder(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
}
