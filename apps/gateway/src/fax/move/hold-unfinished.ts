import type { Database, Tx } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import type { Events } from '../../base/events/events.ts'
import { parked, type Queue } from '../../base/queue/queue.ts'
import { moveCounts } from './counts.ts'
import { faxWork } from './ledger.ts'
import { isHeld, newHold } from './hold.ts'
import { addToTimeline } from './timeline.ts'

const atOnce = 200
const sentence =
  'Held: the database was restored from a backup. Nothing more is sent for this fax until you release it.'

interface HoldContext {
  database: Database
  queue: Pick<Queue, 'settle'>
  events: Pick<Events, 'jobsHeld'>
  now: () => Date
}

/** Faxes that have not ended, locked, in the order of their ids. */
function unfinishedJobs({ engine }: Database, tx: Tx, after: string): Promise<FaxJobRow[]> {
  const jobs = tx.selectFrom('fax_jobs').selectAll().where('finished_at', 'is', null).where('id', '>', after)
  return jobs
    .orderBy('id')
    .limit(atOnce)
    .$if(engine === 'postgres', (query) => query.forUpdate())
    .execute()
}

async function holdJobs({ queue, events, now }: HoldContext, tx: Tx, jobs: readonly FaxJobRow[], asOf: Date) {
  const at = now().toISOString()
  const held: FaxJobRow[] = []
  for (const job of jobs) {
    const change = { hold: newHold(job, asOf, now()), next_try_at: null, updated_at: at }
    await tx.updateTable('fax_jobs').set(change).where('id', '=', job.id).execute()
    held.push({ ...job, ...change })
    moveCounts(tx, job, { ...job, ...change })
  }
  await addToTimeline(
    tx,
    held.map(({ id }) => ({ job_id: id, at, event: 'held', sentence, until: null })),
  )
  const waiting = held.filter(isHeld).map(({ id }) => ({ subjectId: id, later: { dueAt: parked, hold: false } }))
  await queue.settle(tx, faxWork, waiting)
  await events.jobsHeld({ jobs: jobs.length, as_of: asOf.toISOString() }, tx)
}

/**
 * Holds every fax that has not ended: our records are of an earlier time, and each may have been sent since. Nothing is
 * sent for it until a person releases it; an attempt that was under way is followed. Safe to repeat, and beside a
 * gateway that runs.
 * @returns how many
 */
export async function holdUnfinished(context: HoldContext, asOf: Date): Promise<number> {
  const { database } = context
  let count = 0
  for (let after = ''; ;) {
    const start = after
    const jobs = await transact(database, async (tx) => {
      const some = await unfinishedJobs(database, tx, start)
      if (some.length > 0) await holdJobs(context, tx, some, asOf)
      return some
    })
    count += jobs.length
    after = jobs.at(-1)?.id ?? ''
    if (jobs.length < atOnce) return count
  }
}

/** Holds a fax that may be with a provider although our records have lost the attempt, unless it has ended. */
export async function holdForgotten(context: HoldContext, id: string, asOf: Date): Promise<void> {
  const { database } = context
  await transact(database, async (tx) => {
    const job = tx.selectFrom('fax_jobs').selectAll().where('id', '=', id).where('finished_at', 'is', null)
    const jobs = await job.$if(database.engine === 'postgres', (query) => query.forUpdate()).execute()
    if (jobs.length > 0) await holdJobs(context, tx, jobs, asOf)
  })
}
