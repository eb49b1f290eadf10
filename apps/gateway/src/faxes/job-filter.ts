import type { JobFilter } from '@faxdeck/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import type { FaxJobRow, Tables } from '../db/tables.ts'
import { reverseDigits } from './number.ts'

type Reader = Database['db'] | Tx
type Jobs = Tables & { job: FaxJobRow }
type JobQuery = SelectQueryBuilder<Jobs, 'job', object>

/** A free search looks at no more than this many jobs of each kind of match, so that it stays quick among millions. */
export const searchReach = 10_000

/** Words are looked for in the newest jobs; ids and numbers among all. */
function matches(db: Reader, q: string) {
  const word = q.trim().toLowerCase()
  const digits = reverseDigits(word)
  const newest = db
    .selectFrom('fax_jobs')
    .select(['id', 'file_name', 'error'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(searchReach)
    .as('newest')
  const like = `%${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const holds = (column: string) => sql<boolean>`lower(${sql.ref(column)}) like ${like} escape '\\'`
  const byWord = db
    .selectFrom(newest)
    .select('newest.id')
    .where((eb) => eb.or([holds('newest.file_name'), holds('newest.error')]))
  const rangeOf = (column: 'id' | 'to_reversed', start: string) =>
    db.selectFrom('fax_jobs').select('id').where(column, '>=', start).where(column, '<', `${start}g`).limit(searchReach)
  const found = (ids: typeof byWord | ReturnType<typeof rangeOf>) => db.selectFrom(ids.as('found')).select('found.id')
  const parts = [found(byWord)]
  if (/^[0-9a-f]{4,32}$/.test(word)) parts.push(found(rangeOf('id', word)))
  if (digits.length >= 3 && /^[\d\s+().-]+$/.test(word)) parts.push(found(rangeOf('to_reversed', digits)))
  return parts.reduce((all, part) => all.union(part))
}

/** The end of a day that was given without a time, otherwise the instant itself. */
function endOf(day: string): string {
  const start = new Date(day)
  if (day.includes('T')) return start.toISOString()
  return new Date(start.getTime() + 24 * 3_600_000).toISOString()
}

/** The jobs that fit a filter, without order. A search starts from its matches, everything else from an index. */
export function filterJobs(db: Reader, filter: JobFilter, ids?: readonly string[]): JobQuery {
  const { status, backend, from, to_date: until, q } = filter
  let query: JobQuery = q?.trim()
    ? db.selectFrom(matches(db, q).as('match')).innerJoin('fax_jobs as job', 'job.id', 'match.id')
    : db.selectFrom('fax_jobs as job')
  if (status === 'attention') query = query.where('job.phase', '=', sql.lit('uncertain'))
  else if (status) query = query.where('job.status', '=', status)
  if (backend) query = query.where('job.backend', '=', backend)
  if (from) query = query.where('job.created_at', '>=', new Date(from).toISOString())
  if (until) query = query.where('job.created_at', '<', endOf(until))
  if (ids) query = query.where('job.id', 'in', ids)
  return query
}

/** How many jobs fit. Exact without dates and search; otherwise counting stops at 10,000 and says so. */
export async function countJobs(db: Reader, filter: JobFilter): Promise<{ total: number; isMinimum: boolean }> {
  if (!filter.q?.trim() && !filter.from && !filter.to_date)
    return { total: await keptCount(db, filter), isMinimum: false }
  const some = filterJobs(db, filter)
    .select(sql.lit(1).as('one'))
    .limit(searchReach + 1)
  const { n } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return { total: Math.min(n, searchReach), isMinimum: n > searchReach }
}

async function keptCount(db: Reader, { status, backend }: JobFilter): Promise<number> {
  let query = db.selectFrom('job_counts').select((eb) => eb.fn.sum<number | string | null>('jobs').as('n'))
  query = status ? query.where('status', '=', status) : query.where('status', '<>', 'attention')
  if (backend) query = query.where('backend', '=', backend)
  const { n } = await query.executeTakeFirstOrThrow()
  return Number(n ?? 0)
}
