import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import type { FaxJobRow } from '../db/tables.ts'
import type { JobTotals } from './faxes.ts'

const hour = 3_600_000
/** Failures are counted no further than this. */
const mostFailures = 10_000

/** A change of the kept number of jobs: `status` as on the wire, or `attention` for uncertain ones. */
export interface CountChange {
  backend: string
  status: string
  by: number
}

/**
 * Keeps the totals that lists and the dashboard show, in the transaction that moves the jobs.
 * Rows are touched in one order, so that two transactions cannot wait for each other.
 */
export async function changeCounts(tx: Tx, changes: readonly CountChange[]): Promise<void> {
  const sums = new Map<string, CountChange>()
  for (const change of changes) {
    const key = `${change.backend} ${change.status}`
    sums.set(key, { ...change, by: change.by + (sums.get(key)?.by ?? 0) })
  }
  const inOrder = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
  for (const { backend, status, by } of inOrder) {
    if (by === 0) continue
    await tx
      .insertInto('job_counts')
      .values({ backend, status, jobs: by })
      .onConflict((conflict) =>
        conflict.columns(['backend', 'status']).doUpdateSet((eb) => ({ jobs: eb('job_counts.jobs', '+', by) })),
      )
      .execute()
  }
}

type Counted = Pick<FaxJobRow, 'backend' | 'status' | 'phase'>

const changesOf = ({ backend, status, phase }: Counted, by: number): CountChange[] => [
  { backend, status, by },
  ...(phase === 'uncertain' ? [{ backend, status: 'attention', by }] : []),
]

/** Keeps the totals of a job that moves. */
export async function moveCounts(tx: Tx, before: Counted, after: Counted): Promise<void> {
  await changeCounts(tx, [...changesOf(before, -1), ...changesOf(after, 1)])
}

/** Counts a fax that has ended in the hour that the dashboard shows it in. */
export async function countEnded(tx: Tx, outcome: 'delivered' | 'failed', at: string): Promise<void> {
  const counted = { delivered: 0, failed: 0, [outcome]: 1 }
  await tx
    .insertInto('activity_hours')
    .values({ hour: `${at.slice(0, 13)}:00:00.000Z`, received: 0, ...counted })
    .onConflict((conflict) =>
      conflict.column('hour').doUpdateSet((eb) => ({ [outcome]: eb(`activity_hours.${outcome}`, '+', 1) })),
    )
    .execute()
}

/** Jobs under way, in need of a person, and failed within the last hour. */
export async function readTotals({ db }: Database, now: Date): Promise<JobTotals> {
  const rows = await db
    .selectFrom('job_counts')
    .groupBy('status')
    .select(['status', sql<string | number>`sum(jobs)`.as('n')])
    .execute()
  const of = (status: string) => Number(rows.find((row) => row.status === status)?.n ?? 0)
  const since = new Date(now.getTime() - hour).toISOString()
  const failed = db
    .selectFrom('fax_jobs')
    .select(sql.lit(1).as('one'))
    .where('status', '=', 'FAILED')
    .where('finished_at', '>=', since)
    .limit(mostFailures)
  const { n } = await db
    .selectFrom(failed.as('failed'))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return { queued: of('queued'), in_progress: of('in_progress'), attention: of('attention'), recent_failures: n }
}
