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
import type { GatewayContext } from '../context.ts'
import { isTestLine } from '../providers/test-line.ts'

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

const day = 86_400_000
/** Weekly backups never take so long, and no new installation is reminded before. */
const longestDays = 8

/** What is known of the backups of this installation. */
export interface BackupState {
  last: LastBackup | undefined
  ageMs: number | undefined
  /** Why a person should make one; nothing while all is well, or while nothing is at stake. */
  problem: string | undefined
}

type Parts = Pick<GatewayContext, 'database' | 'directory' | 'providers' | 'now'>

/** Whether there are faxes that were not only tests, and have been for some days. */
async function isAtStake({ database: { db }, providers, now }: Parts): Promise<boolean> {
  const first = await db.selectFrom('audit_events').select('ts').orderBy('seq').limit(1).executeTakeFirst()
  if (!first || now().getTime() - Date.parse(first.ts) < longestDays * day) return false
  const counts = await db.selectFrom('job_counts').select('backend').where('jobs', '>', 0).distinct().execute()
  if (counts.some(({ backend }) => !isTestLine(providers, backend))) return true
  return (await db.selectFrom('inbound_faxes').select('id').where('is_test', '=', 0).limit(1).execute()).length > 0
}

/**
 * How old the last backup is, and whether that is too old. The tools of PostgreSQL back up their database themselves, and
 * nothing is known of it here: `faxdeck backup` is for the embedded one.
 */
export async function readBackupState(parts: Parts): Promise<BackupState> {
  const last = readLastBackup(parts.directory)
  const ageMs = last && Math.max(0, parts.now().getTime() - Date.parse(last.made_at))
  const isLate = ageMs === undefined || ageMs > longestDays * day
  if (parts.database.engine !== 'sqlite' || !isLate || !(await isAtStake(parts)))
    return { last, ageMs, problem: undefined }
  const what =
    ageMs === undefined
      ? 'This installation was never backed up.'
      : `The last backup is ${Math.floor(ageMs / day)} days old.`
  return {
    last,
    ageMs,
    problem: `${what} Run "faxdeck backup", every day if you can, and keep the copy on another machine.`,
  }
}
