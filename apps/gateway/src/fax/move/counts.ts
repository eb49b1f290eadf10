import { sql } from 'kysely'
import { activitySlot } from '../../base/db/activity-slot.ts'
import type { Database, Tx } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { gather, type Gatherer } from '../../base/db/transact.ts'
import { isBetweenAttempts, isHeld } from './hold.ts'
import { countStates, sumOf } from './job-states.ts'
import { needsAttention } from './move.ts'

/** Jobs as the health screen counts them. */
export interface JobTotals {
  /** Those that wait for their turn. Held ones are counted apart. */
  queued: number
  in_progress: number
  /** Those that wait for another attempt, or for a provider to which nothing is sent now. They are in neither of the first two. */
  waiting: number
  /** Failed within the last hour. */
  recent_failures: number
  /** Uncertain, delivered more than once, or held: waiting for a person. */
  attention: number
  /** Held until a person releases them. */
  held: number
}

const hour = 3_600_000
const maxFailures = 10_000

/** A change of the kept number of jobs: `status` as on the wire, or `attention` for those that need a person, `held` for held ones, `waiting` for those between two attempts. */
export interface CountChange {
  backend: string
  status: string
  by: number
}

function inOrder(changes: readonly CountChange[]): CountChange[] {
  const sums = new Map<string, CountChange>()
  for (const change of changes) {
    const key = `${change.backend} ${change.status}`
    sums.set(key, { ...change, by: change.by + (sums.get(key)?.by ?? 0) })
  }
  const sorted = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
  return sorted.filter(({ by }) => by !== 0)
}

const counts: Gatherer<CountChange> = {
  turn: 'counts',
  write: async (tx, changes) => {
    for (const { backend, status, by } of inOrder(changes)) {
      await tx
        .insertInto('job_counts')
        .values({ backend, status, jobs: by })
        .onConflict((conflict) =>
          conflict.columns(['backend', 'status']).doUpdateSet((eb) => ({ jobs: eb('job_counts.jobs', '+', by) })),
        )
        .execute()
    }
  },
}

/** Keeps the totals that lists and the dashboard show, in the transaction that moves the jobs. */
export function changeCounts(tx: Tx, changes: readonly CountChange[]): void {
  gather(tx, counts, changes)
}

type Counted = Pick<FaxJobRow, 'backend' | 'status' | 'phase' | 'hold'>

const changesOf = ({ backend, ...job }: Counted, by: number): CountChange[] => [
  { backend, status: job.status, by },
  ...(needsAttention(job) ? [{ backend, status: 'attention', by }] : []),
  ...(isHeld(job) ? [{ backend, status: 'held', by }] : []),
  ...(isBetweenAttempts(job) ? [{ backend, status: 'waiting', by }] : []),
]

/** Keeps the totals of a job that moves. */
export function moveCounts(tx: Tx, before: Counted, after: Counted): void {
  changeCounts(tx, [...changesOf(before, -1), ...changesOf(after, 1)])
}

/** Counts a job that was not there before. */
export function addCounts(tx: Tx, jobs: readonly Counted[]): void {
  changeCounts(
    tx,
    jobs.flatMap((job) => changesOf(job, 1)),
  )
}

interface Ended {
  hour: string
  as: 'delivered' | 'failed' | 'test_delivered' | 'test_failed'
  by: number
}

const hours: Gatherer<Ended> = {
  turn: 'hours',
  write: async (tx, ended) => {
    for (const [hour, of = []] of Object.entries(Object.groupBy(ended, (each) => each.hour))) {
      const sumOf = (as: Ended['as']) => of.reduce((sum, each) => sum + (each.as === as ? each.by : 0), 0)
      const sums = {
        delivered: sumOf('delivered'),
        failed: sumOf('failed'),
        test_delivered: sumOf('test_delivered'),
        test_failed: sumOf('test_failed'),
      }
      await tx
        .insertInto('activity_hours')
        .values({ hour, received: 0, ...sums })
        .onConflict((conflict) =>
          conflict.column('hour').doUpdateSet((eb) => ({
            delivered: eb('activity_hours.delivered', '+', sums.delivered),
            failed: eb('activity_hours.failed', '+', sums.failed),
            test_delivered: eb('activity_hours.test_delivered', '+', sums.test_delivered),
            test_failed: eb('activity_hours.test_failed', '+', sums.test_failed),
          })),
        )
        .execute()
    }
  },
}

type Ending = Pick<FaxJobRow, 'backend' | 'is_test' | 'status' | 'finished_at' | 'error_kind'>
type IsTest = (job: Ending) => boolean

function endedOf(job: Ending, by: number, isTest: IsTest): Ended[] {
  const { status, finished_at: at, error_kind: kind } = job
  if (at === null || kind === 'cancelled') return []
  const as = status === 'SUCCESS' ? 'delivered' : 'failed'
  return [{ hour: activitySlot(at), as: isTest(job) ? `test_${as}` : as, by }]
}

/**
 * Counts a fax in the hour that the dashboard shows it in: where it ends, and no longer where it had seemed to end.
 * @param isTest whether a fax is only a test
 */
export function moveEnded(tx: Tx, before: Ending, after: Ending, isTest: IsTest): void {
  const isSame = before.status === after.status && before.finished_at === after.finished_at
  if (isSame && before.is_test === after.is_test) return
  gather(tx, hours, [...endedOf(before, -1, isTest), ...endedOf(after, 1, isTest)])
}

/**
 * Jobs under way, in need of a person, and failed within the last hour.
 * @param paused the providers to which nothing is sent now
 */
export async function readTotals({ db }: Database, now: Date, paused: readonly string[] = []): Promise<JobTotals> {
  const counts = await countStates(db, paused)
  const since = new Date(now.getTime() - hour).toISOString()
  const failed = db
    .selectFrom('fax_jobs')
    .select(sql.lit(1).as('one'))
    .where('status', '=', 'FAILED')
    .where('finished_at', '>=', since)
    .limit(maxFailures)
  const { n } = await db
    .selectFrom(failed.as('failed'))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  const held = sumOf(counts, 'held')
  const attention = sumOf(counts, 'attention') + held
  const [queued, underWay, waiting] = [sumOf(counts, 'queued'), sumOf(counts, 'in_progress'), sumOf(counts, 'waiting')]
  return { queued, in_progress: underWay, waiting, attention, held, recent_failures: n }
}
