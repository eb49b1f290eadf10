import type { GatewayContext } from '../context.ts'
import { isTestLine } from '../providers/test-line.ts'
import { type LastBackup, readLastBackup } from './last-backup.ts'

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
