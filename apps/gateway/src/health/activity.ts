import { type Activity, maskNumber } from '@faxdeck/contract'
import type { GatewayContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { FaxJobRow } from '../db/tables/tables.ts'
import type { Handlers } from '../http/handler.ts'
import { holdOf } from '../faxes/move/hold.ts'
import { needingPerson } from '../faxes/read/job-filter.ts'
import type { Phase } from '../faxes/move/move.ts'
import { hideNumbers } from '../faxes/read/present.ts'
import { failedInbound, type InboundConcern, inboundLeftBehind, unclearInbound } from '../inbound/overview.ts'
import { hasRealProvider } from '../providers/test-line.ts'
import type { HealthProblem } from './problem.ts'

const hour = 3_600_000
/** Work that should have begun this long ago is late. */
const lateAfter = 5 * 60_000
const most = 20
const none = { delivered: 0, failed: 0, received: 0, test_delivered: 0, test_failed: 0 }

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

const concernOf: Partial<Record<Phase, Attention['kind']>> = { duplicate: 'duplicate', partial: 'failed' }

async function undecidedJobs({ db }: Database): Promise<Attention[]> {
  const jobs = await db
    .selectFrom('fax_jobs')
    .selectAll()
    .where(needingPerson('phase'))
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
  const sentence = 'It’s unknown whether the provider accepted this fax. You decide.'
  return jobs.map((job) => {
    const kind = concernOf[job.phase] ?? 'uncertain'
    return concerning(
      kind,
      () => job.error ?? sentence,
      () => job.updated_at,
    )(job)
  })
}

/** All that are held, as one concern: there may be hundreds, and the list of jobs shows them. */
async function heldJobs({ db }: Database): Promise<Attention[]> {
  const rows = await db.selectFrom('job_counts').select('jobs').where('status', '=', 'held').execute()
  const count = rows.reduce((sum, { jobs }) => sum + jobs, 0)
  if (count === 0) return []
  const held = db.selectFrom('fax_jobs').select('hold').where('hold', 'is not', null)
  const newest = await held.orderBy('created_at', 'desc').limit(1).executeTakeFirst()
  const faxes = count === 1 ? '1 fax has' : `${count} faxes have`
  const sentence = `${faxes} been held since the database was restored from a backup. Compare with the provider, then release or cancel.`
  const since = newest && holdOf(newest)?.since
  return since === undefined ? [] : [{ ...ofNoFax, kind: 'held', sentence, at: since }]
}

/** Failed within the day and not sent again since. Those that arrived in part wait until a person has seen them. */
async function failedJobs({ db }: Database, since: string): Promise<Attention[]> {
  const jobs = await db
    .selectFrom('fax_jobs as job')
    .selectAll('job')
    .where('job.status', '=', 'FAILED')
    .where('job.phase', '<>', 'partial')
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

function ofReceived(kind: Attention['kind'], faxes: readonly InboundConcern[]): Attention[] {
  return faxes.map(({ id, from, sentence, at }) => ({
    kind,
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
    // Faxes of a broadcast give way to others and to each other: that they wait says nothing.
    .where('queue.bulk', '=', 0)
    .orderBy('queue.due_at')
    .limit(most)
    .execute()
  return jobs.map(
    concerning(
      'late',
      () => 'Overdue: it is still waiting to be sent.',
      (job) => job.created_at,
    ),
  )
}

type ProblemFinder = () => Promise<HealthProblem | undefined>

/** Faxes per hour of the last 24 hours, empty hours included, and what a person should look at, most pressing first. */
async function readActivity(context: GatewayContext, problem: ProblemFinder): Promise<Activity> {
  const { database, providers, settings, now } = context
  // What the test line took counts only where no fax can be real: nobody is to take it for sent.
  const countsTests = !hasRealProvider(providers.providers, settings.current())
  const millis = now().getTime()
  const firstHour = Math.floor(millis / hour) * hour - 23 * hour
  const since = new Date(firstHour).toISOString()
  const rows = await database.db.selectFrom('activity_hours').selectAll().where('hour', '>=', since).execute()
  const byHour = new Map(rows.map((row) => [row.hour, row]))
  const hours = Array.from({ length: 24 }, (_, index) => {
    const at = new Date(firstHour + index * hour).toISOString()
    const { delivered, failed, received, test_delivered, test_failed } = byHour.get(at) ?? none
    if (!countsTests) return { hour: at, delivered, failed, received }
    return { hour: at, delivered: delivered + test_delivered, failed: failed + test_failed, received }
  })
  const at = new Date(millis).toISOString()
  const unhealthy = await problem()
  const failed = [
    ...(await failedJobs(database, since)),
    ...ofReceived('failed', await failedInbound(context, since, most)),
  ]
  const attention: Attention[] = [
    ...(unhealthy && !unhealthy.isPause
      ? [{ ...ofNoFax, kind: 'unhealthy' as const, sentence: unhealthy.sentence, at }]
      : []),
    ...(await inboundLeftBehind(context)).map((sentence) => ({ ...ofNoFax, kind: 'unhealthy' as const, sentence, at })),
    ...(await heldJobs(database)),
    ...(await undecidedJobs(database)),
    ...ofReceived('unclear', await unclearInbound(context, most)),
    ...(await lateJobs(database, millis)),
    ...failed.toSorted((a, b) => b.at.localeCompare(a.at)),
  ]
  return { hours, attention: attention.slice(0, most) }
}

/** What happened in the last day, and what needs a person. */
export const activityHandlers = (context: GatewayContext, problem: ProblemFinder) =>
  ({ getActivity: () => readActivity(context, problem) }) satisfies Partial<Handlers>
