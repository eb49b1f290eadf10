import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const lastBackup = z.object({
  made_at: z.iso.datetime(),
  /** Where it was put on this machine, or was restored from. */
  folder: z.string(),
  files: z.int(),
  bytes: z.int(),
  /** What belongs to the installation and is not in it: `s3`. Empty when the backup is complete. */
  left_out: z.array(z.string()),
})
/** The last backup that `faxdeck backup` made of a data directory. */
export type LastBackup = z.infer<typeof lastBackup>

export const lastBackupName = 'last-backup.json'

/** What the data directory knows of its last backup: nothing where there was none, or its note cannot be read. */
export function readLastBackup(directory: string): LastBackup | undefined {
  try {
    return lastBackup.parse(JSON.parse(readFileSync(join(directory, lastBackupName), 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * Notes the last backup, whole or not at all. A file and not a row: the gateway runs meanwhile, and its embedded database
 * is written by no other process. What root writes is given to the owner of the directory.
 */
export function writeLastBackup(directory: string, backup: LastBackup): void {
  const path = join(directory, lastBackupName)
  const unfinished = `${path}.tmp`
  rmSync(unfinished, { force: true })
  const file = openSync(unfinished, 'wx', 0o600)
  try {
    const { uid, gid } = statSync(directory)
    if (process.geteuid?.() === 0) fchownSync(file, uid, gid)
    writeSync(file, JSON.stringify(backup))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
}

/** What is noted of a backup in a folder. */
export const lastBackupOf = (
  made: Pick<LastBackup, 'made_at' | 'left_out'> & { files: readonly { size: number }[] },
  folder: string,
): LastBackup => ({
  made_at: made.made_at,
  folder,
  files: made.files.length,
  bytes: made.files.reduce((sum, { size }) => sum + size, 0),
  left_out: made.left_out,
})
