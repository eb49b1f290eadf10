import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { databaseName } from '../base/settings/data-directory.ts'
import { StartProblem } from '../base/settings/start-problem.ts'
import { wayToBegin } from './former-installation.ts'
import { lockInstance } from './instance-lock.ts'

/**
 * A restore works inside the data directory, which may be a mount: it prepares everything in one folder, renames that
 * folder once it is complete, and moves the files up. Killed before the renaming, nothing was restored; after it, whoever
 * comes next finishes it.
 */
export const preparing = (directory: string): string => join(directory, 'restoring')
export const prepared = (directory: string): string => join(directory, 'restored')

/** Makes names in a folder survive a power failure. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * Moves up what a restore has prepared. Under the lock of the directory.
 * @param onStep called before each change; a test ends there what a kill would end
 */
export function moveUp(directory: string, onStep: (step: string) => void = () => undefined): void {
  const folder = prepared(directory)
  const names = readdirSync(folder)
  // The database comes last: a directory that has one is complete.
  for (const name of names.toSorted((a, b) => Number(a === databaseName) - Number(b === databaseName))) {
    onStep(name)
    renameSync(join(folder, name), join(directory, name))
  }
  syncFolder(directory)
  onStep('moved')
  rmdirSync(folder)
}

/**
 * At a start: finishes a restore that was interrupted after everything was prepared.
 * @param isNew whether to go on without one that was interrupted before that
 * @returns whether one was finished
 * @throws {StartProblem} while one runs, or when one was interrupted before everything was prepared
 */
export function settleRestore(directory: string, isNew: boolean): boolean {
  const isPrepared = existsSync(prepared(directory))
  if (!isPrepared && !existsSync(preparing(directory))) return false
  const unlock = lockInstance(join(directory, databaseName))
  if (!unlock)
    throw new StartProblem(`A backup is being restored to ${directory}. Wait until "faxdeck restore" is done.`)
  try {
    if (isPrepared) moveUp(directory)
    else if (isNew) rmSync(preparing(directory), { recursive: true })
    else {
      throw new StartProblem(
        `A restore to ${directory} was interrupted before it was complete, so nothing was restored. Run "faxdeck restore" again, then start.`,
        wayToBegin,
      )
    }
  } finally {
    unlock()
  }
  return isPrepared
}
