import type { Job } from '@faxdeck/contract'
import type { Database, Tx } from '../db/database.ts'
import { findRow } from '../db/rows.ts'
import type { FaxJobRow } from '../db/tables.ts'
import { Problem } from '../http/problem.ts'
import type { FaxDoors } from './doors.ts'
import { type JobAbilities, presentJob } from './present.ts'
import { mostAttempts } from './retry.ts'

export async function findJob(db: Database['db'] | Tx, id: string): Promise<FaxJobRow | undefined> {
  return findRow(db, 'fax_jobs', { id })
}

/** @throws {Problem} `fax_not_found` */
export async function requireJob({ database }: FaxDoors, id: string): Promise<FaxJobRow> {
  const job = await findJob(database.db, id)
  if (!job) throw new Problem('fax_not_found')
  return job
}

/** What the provider of a job can be asked for; nothing of one that is gone. */
export function abilitiesOf({ providers }: FaxDoors, backend: string): JobAbilities {
  const traits = providers.find(backend)?.traits
  return { supportsCancel: traits?.supports_cancel ?? false, supportsStatus: traits?.supports_status ?? false }
}

/** A job with its attempts and timeline, as a person sees it. @throws {Problem} `fax_not_found` */
export async function readJob(doors: FaxDoors, id: string): Promise<Job> {
  const { db } = doors.database
  const job = await requireJob(doors, id)
  const attempts = await db.selectFrom('fax_attempts').selectAll().where('job_id', '=', id).orderBy('number').execute()
  const timeline = await db.selectFrom('fax_timeline').selectAll().where('job_id', '=', id).orderBy('n').execute()
  const same = attempts.filter(({ kind }) => kind !== null && kind === job.error_kind).length
  const waiting = job.phase === 'waiting_retry'
  const maxAttempts = waiting ? mostAttempts(job.error_kind, job.attempt_count, same, doors.settings()) : null
  return presentJob(job, abilitiesOf(doors, job.backend), { attempts, timeline, maxAttempts })
}
