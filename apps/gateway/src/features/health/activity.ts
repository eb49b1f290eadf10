import { type Activity, type ActivityRange, maskNumber } from '@faxdeck/contract'
import { testAccountInUse } from '../../fax/read/test-account.ts'
import { readBackupState } from '../../base/backups/last-backup.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Database } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { holdOf } from '../../fax/move/hold.ts'
import { needingPerson } from '../../fax/read/job-filter.ts'
import type { Phase } from '../../fax/move/move.ts'
import { hideNumbers } from '../../fax/read/present.ts'
import { failedInbound, type InboundConcern, inboundLeftBehind, unclearInbound } from '../../inbox/inbound/overview.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import type { HealthProblem } from './problem.ts'
import { activitySlotMs } from '../../base/db/activity-slot.ts'

const hour = 3_600_000
const shapes = {
  '1h': { slotMs: activitySlotMs, slots: 12 },
  '24h': { slotMs: hour, slots: 24 },
  '7d': { slotMs: 6 * hour, slots: 28 },
  '30d': { slotMs: 24 * hour, slots: 30 },
} as const satisfies Record<ActivityRange, { slotMs: number; slots: number }>

/** The slots of a range, the last one holding `now`: milliseconds since 1970 at which the first begins, their length and number. */
function slotsOf(range: ActivityRange, now: number) {
  const { slotMs, slots } = shapes[range]
  // Longer slots end with the hour, so that the newest one is never nearly empty only because a day has just begun.
  const step = Math.min(slotMs, hour)
  const end = Math.floor(now / step) * step + step
  return { from: end - slots * slotMs, slotMs, slots }
}

const lateAfter = 5 * 60_000
const max = 500
const maxCauses = 20
/** Among so many of the newest deliveries the middle one is looked for. */
const maxDeliveries = 1000

type Attention = Activity['attention'][number]
type Concern = Omit<Attention, 'count'>

/** One entry for each kind and sentence: five hundred busy lines are one thing to look at. The newest of them is named. */
function byCause(concerns: readonly Concern[]): Attention[] {
  const causes = new Map<string, Attention>()
  for (const concern of concerns) {
    const cause = [concern.kind, concern.inbound_id === null, concern.sentence].join(' ')
    const known = causes.get(cause)
    const newest = known && known.at > concern.at ? known : concern
    causes.set(cause, { ...newest, count: (known?.count ?? 0) + 1 })
  }
  return [...causes.values()].slice(0, maxCauses)
}

const ofNoFax = { job_id: null, to_number: null, inbound_id: null, from_number: null }

const concerning = (kind: Concern['kind'], sentence: (job: FaxJobRow) => string, at: (job: FaxJobRow) => string) => {
  return (job: FaxJobRow): Concern => ({
    kind,
    job_id: job.id,
    to_number: maskNumber(job.to_number),
    inbound_id: null,
    from_number: null,
    sentence: hideNumbers(sentence(job)) ?? '',
    at: at(job),
  })
}

const concernOf: Partial<Record<Phase, Concern['kind']>> = {
  duplicate: 'duplicate',
  partial: 'partial',
  incomplete: 'unclear',
}

async function undecidedJobs({ db }: Database): Promise<Concern[]> {
  const jobs = await db
    .selectFrom('fax_jobs')
    .selectAll()
    .where(needingPerson('phase'))
    .orderBy('created_at', 'desc')
    .limit(max)
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
async function heldJobs({ db }: Database): Promise<Concern[]> {
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
async function failedJobs({ db }: Database, since: string): Promise<Concern[]> {
  const jobs = await db
    .selectFrom('fax_jobs as job')
    .selectAll('job')
    .where('job.status', '=', 'FAILED')
    .where('job.phase', '<>', 'partial')
    .where('job.finished_at', '>=', since)
    .where('job.error_kind', 'is distinct from', 'cancelled')
    .where((eb) => {
      const children = eb.selectFrom('fax_jobs as child').select('child.id')
      return eb.not(eb.exists(children.whereRef('child.parent_id', '=', 'job.id')))
    })
    .orderBy('job.finished_at', 'desc')
    .limit(max)
    .execute()
  return jobs.map(
    concerning(
      'failed',
      (job) => job.error ?? 'The fax failed.',
      (job) => job.finished_at ?? job.updated_at,
    ),
  )
}

function ofReceived(kind: Concern['kind'], faxes: readonly InboundConcern[]): Concern[] {
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

async function lateJobs({ db }: Database, now: number): Promise<Concern[]> {
  const jobs = await db
    .selectFrom('queue')
    .innerJoin('fax_jobs as job', 'job.id', 'queue.subject_id')
    .selectAll('job')
    .where('queue.due_at', '<', new Date(now - lateAfter).toISOString())
    .where('queue.occupied', '=', 0)
    // Faxes of a broadcast give way to others and to each other: that they wait says nothing.
    .where('queue.bulk', '=', 0)
    .orderBy('queue.due_at')
    .limit(max)
    .execute()
  return jobs.map(
    concerning(
      'late',
      () => 'Overdue: it is still waiting to be sent.',
      (job) => job.created_at,
    ),
  )
}

async function lateBackup(context: GatewayContext): Promise<Concern[]> {
  const { last, problem } = await readBackupState(context)
  const at = last?.made_at ?? context.now().toISOString()
  return problem === undefined ? [] : [{ ...ofNoFax, kind: 'backup', sentence: problem, at }]
}

export interface ActivityParts {
  problem: () => Promise<HealthProblem | undefined>
  /** The webhooks that are off because of their receivers, and since when these failed. */
  stoppedWebhooks: () => Promise<{ sentence: string; since: string }[]>
}

/**
 * Until when the faxes of the test line are counted: until the first real fax ended, so that nobody takes them for sent,
 * and setting up a provider changes nothing of what was shown. An empty text is never: an account in test mode.
 */
async function countsTestsUntil(context: GatewayContext): Promise<string> {
  if ((await testAccountInUse(context)) !== null) return ''
  const ended = context.database.db
    .selectFrom('activity_hours')
    .select('hour')
    .where((eb) => eb.or([eb('delivered', '>', 0), eb('failed', '>', 0)]))
  const first = await ended.orderBy('hour').limit(1).executeTakeFirst()
  return first?.hour ?? '9'
}

/** What happened in a range, empty slots included, and how long a delivery took. */
async function readHistory(context: GatewayContext, range: ActivityRange) {
  const { database, now } = context
  const testsUntil = await countsTestsUntil(context)
  const { from, slotMs, slots } = slotsOf(range, now().getTime())
  const since = new Date(from).toISOString()
  const rows = await database.db.selectFrom('activity_hours').selectAll().where('hour', '>=', since).execute()
  const hours = Array.from({ length: slots }, (_, at) => ({
    hour: new Date(from + at * slotMs).toISOString(),
    delivered: 0,
    failed: 0,
    received: 0,
  }))
  for (const row of rows) {
    const hour = hours[Math.floor((Date.parse(row.hour) - from) / slotMs)]
    if (!hour) continue
    const tests = row.hour < testsUntil
    hour.delivered += row.delivered + (tests ? row.test_delivered : 0)
    hour.failed += row.failed + (tests ? row.test_failed : 0)
    hour.received += row.received
  }
  return { hours, slot_minutes: slotMs / 60_000, median_seconds: await readMedian(context, since, testsUntil) }
}

/** The middle of the seconds that the newest deliveries took; null when there was none. */
async function readMedian(
  { database, providers }: GatewayContext,
  since: string,
  testsUntil: string,
): Promise<number | null> {
  const newest = database.db
    .selectFrom('fax_jobs')
    .select(['created_at', 'finished_at', 'backend', 'is_test'])
    .where('status', '=', 'SUCCESS')
    .where('finished_at', '>=', since)
    .orderBy('finished_at', 'desc')
    .limit(maxDeliveries)
  const seconds = (await newest.execute())
    .filter((job) => (job.finished_at ?? '') < testsUntil || !isTestFax(providers, job))
    .map(({ created_at: from, finished_at: to }) => (Date.parse(to ?? from) - Date.parse(from)) / 1000)
    .toSorted((a, b) => a - b)
  return seconds[Math.floor(seconds.length / 2)] ?? null
}

async function readAttention(
  context: GatewayContext,
  { problem, stoppedWebhooks: stopped }: ActivityParts,
): Promise<Attention[]> {
  const { database, now } = context
  const millis = now().getTime()
  const at = new Date(millis).toISOString()
  const since = new Date(Math.floor(millis / hour) * hour - 23 * hour).toISOString()
  const unhealthy = await problem()
  const failed = [
    ...(await failedJobs(database, since)),
    ...ofReceived('failed', await failedInbound(context, since, max)),
  ]
  const concerns: Concern[] = [
    ...(unhealthy && !unhealthy.isPause
      ? [{ ...ofNoFax, kind: 'unhealthy' as const, sentence: unhealthy.sentence, at }]
      : []),
    ...(await inboundLeftBehind(context)).map((sentence) => ({ ...ofNoFax, kind: 'unhealthy' as const, sentence, at })),
    ...(await heldJobs(database)),
    ...(await undecidedJobs(database)),
    ...ofReceived('unclear', await unclearInbound(context, max)),
    ...(await lateJobs(database, millis)),
    ...(await stopped()).map(({ sentence, since: at }) => ({ ...ofNoFax, kind: 'webhook' as const, sentence, at })),
    ...failed.toSorted((a, b) => b.at.localeCompare(a.at)),
    ...(await lateBackup(context)),
  ]
  return byCause(concerns)
}

/** What happened in the last day or another range, and what needs a person. */
export const activityHandlers = (context: GatewayContext, parts: ActivityParts) =>
  ({
    getActivity: async ({ query: { range } }) => ({
      ...(await readHistory(context, range)),
      attention: await readAttention(context, parts),
    }),
  }) satisfies Partial<Handlers>
