import { type Activity, maskNumber } from '@faxdeck/contract'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { FaxJobRow } from '../db/tables.ts'
import type { Failures } from '../inbound/inbound.ts'
import { hideNumbers } from './present.ts'

const hour = 3_600_000
/** Work that should have begun this long ago is late. */
const lateAfter = 5 * 60_000
const most = 20

type Attention = Activity['attention'][number]

const ofNoFax = { job_id: null, to_number: null, inbound_id: null, from_number: null }

const concerning = (kind: Attention['kind'], sentence: (job: FaxJobRow) => string, at: (job: FaxJobRow) => string) => {
  return (job: FaxJobRow): Attention => ({
    kind,
    job_id: job.id,
    to_number: maskNumber(job.to_number),
    inbound_id: null,
    from_number: null,
    sentence: hideNumbers(sentence(job)) ?? '',
    at: at(job),
  })
}

async function uncertainJobs({ db }: Database): Promise<Attention[]> {
  const jobs = await db
    .selectFrom('fax_jobs')
    .selectAll()
    .where('phase', '=', sql.lit('uncertain'))
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
  const sentence = 'Whether the provider took this fax is not known. You decide.'
  return jobs.map(
    concerning(
      'uncertain',
      (job) => job.error ?? sentence,
      (job) => job.updated_at,
    ),
  )
}

/** Failed within the day and not sent again since. */
async function failedJobs({ db }: Database, since: string): Promise<Attention[]> {
  const jobs = await db
    .selectFrom('fax_jobs as job')
    .selectAll('job')
    .where('job.status', '=', 'FAILED')
    .where('job.created_at', '>=', since)
    .where('job.error_kind', 'is distinct from', 'cancelled')
    .where((eb) => {
      const children = eb.selectFrom('fax_jobs as child').select('child.id')
      return eb.not(eb.exists(children.whereRef('child.parent_id', '=', 'job.id')))
    })
    .orderBy('job.created_at', 'desc')
    .limit(most)
    .execute()
  return jobs.map(
    concerning(
      'failed',
      (job) => job.error ?? 'The fax failed.',
      (job) => job.finished_at ?? job.updated_at,
    ),
  )
}

async function failedInbound(failures: Failures, since: string): Promise<Attention[]> {
  const faxes = await failures(since, most)
  return faxes.map(({ id, from, sentence, at }) => ({
    kind: 'failed',
    job_id: null,
    to_number: null,
    inbound_id: id,
    from_number: from === null ? null : maskNumber(from),
    sentence: hideNumbers(sentence) ?? '',
    at,
  }))
}

async function lateJobs({ db }: Database, now: number): Promise<Attention[]> {
  const jobs = await db
    .selectFrom('queue')
    .innerJoin('fax_jobs as job', 'job.id', 'queue.subject_id')
    .selectAll('job')
    .where('queue.due_at', '<', new Date(now - lateAfter).toISOString())
    .where('queue.occupied', '=', 0)
    .orderBy('queue.due_at')
    .limit(most)
    .execute()
  return jobs.map(
    concerning(
      'late',
      () => 'It should have been sent minutes ago and is still waiting.',
      (job) => job.created_at,
    ),
  )
}

/** Faxes per hour of the last 24 hours, empty hours included, and what a person should look at, most pressing first. */
export async function readActivity(
  database: Database,
  failures: Failures,
  unhealthy: string | undefined,
  now: number,
): Promise<Activity> {
  const firstHour = Math.floor(now / hour) * hour - 23 * hour
  const since = new Date(firstHour).toISOString()
  const rows = await database.db.selectFrom('activity_hours').selectAll().where('hour', '>=', since).execute()
  const byHour = new Map(rows.map((row) => [row.hour, row]))
  const hours = Array.from({ length: 24 }, (_, index) => {
    const at = new Date(firstHour + index * hour).toISOString()
    const { delivered = 0, failed = 0, received = 0 } = byHour.get(at) ?? {}
    return { hour: at, delivered, failed, received }
  })
  const at = new Date(now).toISOString()
  const failed = [...(await failedJobs(database, since)), ...(await failedInbound(failures, since))]
  const attention: Attention[] = [
    ...(unhealthy ? [{ ...ofNoFax, kind: 'unhealthy' as const, sentence: unhealthy, at }] : []),
    ...(await uncertainJobs(database)),
    ...(await lateJobs(database, now)),
    ...failed.toSorted((a, b) => b.at.localeCompare(a.at)),
  ]
  return { hours, attention: attention.slice(0, most) }
}
