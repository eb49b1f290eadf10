import type { JobFilter } from '@faxdeck/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import type { FaxJobRow, Tables } from '../../db/tables/tables.ts'
import { isHeld } from '../move/hold.ts'
import { attentionPhases, beforeAnAttempt, needsAttention } from '../move/move.ts'

type Reader = Database['db'] | Tx
type Jobs = Tables & { job: FaxJobRow }
type JobQuery = SelectQueryBuilder<Jobs, 'job', object>

/** Without dates the number of jobs is kept; with dates counting stops here. */
const mostCounted = 10_000

/** The end of a day that was given without a time, otherwise the instant itself. */
function endOf(day: string): string {
  const start = new Date(day)
  if (day.includes('T')) return start.toISOString()
  return new Date(start.getTime() + 24 * 3_600_000).toISOString()
}

/** The faxes that need a person, in the words of the index that lists them. */
export const needingPerson = (column: string) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(attentionPhases.map((phase) => sql.lit(phase)))})`

/** The jobs that fit a filter, its search aside, without order. */
export function filterJobs(db: Reader, filter: JobFilter, ids?: readonly string[]): JobQuery {
  const { status, backend, broadcast, from, to_date: until } = filter
  let query: JobQuery = db.selectFrom('fax_jobs as job')
  if (status === 'attention') query = query.where(needingPerson('job.phase'))
  else if (status === 'held')
    query = query.where('job.hold', 'is not', null).where('job.phase', 'in', [...beforeAnAttempt])
  else if (status) query = query.where('job.status', '=', status)
  if (backend) query = query.where('job.backend', '=', backend)
  if (broadcast) query = query.where('job.broadcast_id', '=', broadcast)
  if (from) query = query.where('job.created_at', '>=', new Date(from).toISOString())
  if (until) query = query.where('job.created_at', '<', endOf(until))
  if (ids) query = query.where('job.id', 'in', ids)
  return query
}

/** Whether a job that is at hand fits a filter, its search aside. */
export function fitsFilter(
  job: Pick<FaxJobRow, 'status' | 'phase' | 'hold' | 'backend' | 'broadcast_id' | 'created_at'>,
  { status, backend, broadcast, from, to_date: until }: JobFilter,
): boolean {
  const states = { attention: needsAttention(job), held: isHeld(job) }
  const hasStatus = status === 'attention' || status === 'held' ? states[status] : !status || job.status === status
  const hasBackend = (!backend || job.backend === backend) && (!broadcast || job.broadcast_id === broadcast)
  const isSince = !from || job.created_at >= new Date(from).toISOString()
  return hasStatus && hasBackend && isSince && (!until || job.created_at < endOf(until))
}

/** How many jobs fit a filter, its search aside. The number is kept; with dates, or of a broadcast, it is counted, which stops at 10,000 and says so. */
export async function countJobs(db: Reader, filter: JobFilter): Promise<{ total: number; isMinimum: boolean }> {
  if (!filter.from && !filter.to_date && !filter.broadcast)
    return { total: await keptCount(db, filter), isMinimum: false }
  const fitting = filterJobs(db, filter)
  // Passing over rows is the cheapest way to see that there are too many: only fewer are counted.
  const beyond = await fitting.select(sql.lit(1).as('one')).limit(1).offset(mostCounted).executeTakeFirst()
  if (beyond) return { total: mostCounted, isMinimum: true }
  const { n } = await fitting.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return { total: n, isMinimum: false }
}

async function keptCount(db: Reader, { status, backend }: JobFilter): Promise<number> {
  let query = db.selectFrom('job_counts').select((eb) => eb.fn.sum<number | string | null>('jobs').as('n'))
  query = status ? query.where('status', '=', status) : query.where('status', 'not in', ['attention', 'held'])
  if (backend) query = query.where('backend', '=', backend)
  const { n } = await query.executeTakeFirstOrThrow()
  return Number(n ?? 0)
}
