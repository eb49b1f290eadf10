import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { runKept } from '../db/rows.ts'
import type { FaxJobRow } from '../db/tables.ts'
import { gather, type Gatherer } from '../db/transact.ts'

/** Jobs as the health screen counts them. */
export interface JobTotals {
  queued: number
  in_progress: number
  /** Failed within the last hour. */
  recent_failures: number
  /** Uncertain, waiting for a person. */
  attention: number
}

const hour = 3_600_000
/** Failures are counted no further than this. */
const mostFailures = 10_000

/** A change of the kept number of jobs: `status` as on the wire, or `attention` for uncertain ones. */
export interface CountChange {
  backend: string
  status: string
  by: number
}

/** One change per row, in one order. */
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
      await runKept(tx, 'change job_counts', [backend, status, by], () => {
        return sql`insert into job_counts (backend, status, jobs) values (${backend}, ${status}, ${by})
          on conflict (backend, status) do update set jobs = job_counts.jobs + excluded.jobs`
      })
    }
  },
}

/** Keeps the totals that lists and the dashboard show, in the transaction that moves the jobs. */
export function changeCounts(tx: Tx, changes: readonly CountChange[]): void {
  gather(tx, counts, changes)
}

type Counted = Pick<FaxJobRow, 'backend' | 'status' | 'phase'>

const changesOf = ({ backend, status, phase }: Counted, by: number): CountChange[] => [
  { backend, status, by },
  ...(phase === 'uncertain' ? [{ backend, status: 'attention', by }] : []),
]

/** Keeps the totals of a job that moves. */
export function moveCounts(tx: Tx, before: Counted, after: Counted): void {
  changeCounts(tx, [...changesOf(before, -1), ...changesOf(after, 1)])
}

interface Ended {
  hour: string
  delivered: number
  failed: number
}

const hours: Gatherer<Ended> = {
  turn: 'hours',
  write: async (tx, ended) => {
    for (const [hour, of] of Object.entries(Object.groupBy(ended, (each) => each.hour))) {
      const delivered = of?.reduce((sum, each) => sum + each.delivered, 0) ?? 0
      const failed = of?.reduce((sum, each) => sum + each.failed, 0) ?? 0
      await tx
        .insertInto('activity_hours')
        .values({ hour, delivered, failed, received: 0 })
        .onConflict((conflict) =>
          conflict.column('hour').doUpdateSet((eb) => ({
            delivered: eb('activity_hours.delivered', '+', delivered),
            failed: eb('activity_hours.failed', '+', failed),
          })),
        )
        .execute()
    }
  },
}

/** Counts a fax that has ended in the hour that the dashboard shows it in. */
export function countEnded(tx: Tx, outcome: 'delivered' | 'failed', at: string): void {
  gather(tx, hours, [{ hour: `${at.slice(0, 13)}:00:00.000Z`, delivered: 0, failed: 0, [outcome]: 1 }])
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
