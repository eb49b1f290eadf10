import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasCode } from '../error-code.ts'

function syncDirectory(path: string): void {
  const directory = openSync(dirname(path), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Replaces a secret whole or not at all, readable by its owner only. */
export function replaceSecretFile(path: string, secret: string): void {
  const unfinished = `${path}.${process.pid}`
  writeSynced(unfinished, secret)
  renameSync(unfinished, path)
  syncDirectory(path)
}

/** Removes what a process that was killed while it wrote a secret has left beside it. */
export function removeUnfinished(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const [, pid] = name.startsWith(`${basename(path)}.`) ? (/\.(\d+)$/.exec(name) ?? []) : []
    if (pid !== undefined && name === `${basename(path)}.${pid}` && !isRunning(Number(pid)))
      rmSync(join(dirname(path), name), { force: true })
  }
}

/** Another process, that is: this one has not begun to write. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** Puts one secret in the place of another, which stays under a third name. A crash leaves all that there was. */
export function retireSecretFile(path: string, former: string, next: string): void {
  try {
    linkSync(path, former)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  renameSync(next, path)
  syncDirectory(path)
}

function writeSynced(path: string, content: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, `${content}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writes a file that appears whole or not at all, readable by its owner only. False when there is one already. */
function writeOnce(path: string, content: string): boolean {
  const unfinished = `${path}.${process.pid}`
  writeSynced(unfinished, content)
  try {
    linkSync(unfinished, path)
    syncDirectory(path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    unlinkSync(unfinished)
  }
}

/**
 * The secret kept in a file, made with `make` when there is none. Processes that start at once get the same one.
 * @throws with a sentence when the file is empty, otherwise what the file system refused
 */
export function readOrMakeSecret(path: string, make: () => string): { secret: string; isNew: boolean } {
  const kept = readSecret(path)
  if (kept) return { secret: kept, isNew: false }
  const isNew = writeOnce(path, make())
  const secret = readSecret(path)
  if (!secret) throw new Error(`The file ${path} is empty. Remove it, and a new one is made at the next start.`)
  return { secret, isNew }
}
