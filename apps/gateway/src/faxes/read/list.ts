import type { JobSummary } from '@faxdeck/contract'
import type { Database } from '../../db/database.ts'
import type { FaxJobRow } from '../../db/tables/tables.ts'
import { Problem } from '../../http/problem.ts'
import { countJobs, filterJobs, type JobFilter } from './job-filter.ts'
import type { VisibleFaxes } from '../visible.ts'
import { isBefore, type Place, searchJobs } from './search.ts'

const writeCursor = (job: FaxJobRow) => Buffer.from(`${job.created_at} ${job.id}`).toString('base64url')

function readCursor(cursor: string): Place {
  const [createdAt, id] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!createdAt || !id) {
    throw new Problem('bad_request', 'The cursor is not one this list gave. Begin again without a cursor.')
  }
  return { createdAt, id }
}

/** Whole rows that fit, search aside, newest first, from a place on. */
export async function readJobs(
  db: Database['db'],
  filter: JobFilter,
  limit: number,
  from: { after?: Place | undefined; ids?: readonly string[] | undefined } = {},
): Promise<FaxJobRow[]> {
  const { after } = from
  let query = filterJobs(db, filter, from.ids).selectAll('job')
  if (after) {
    query = query.where((eb) => eb(eb.refTuple('job.created_at', 'job.id'), '<', eb.tuple(after.createdAt, after.id)))
  }
  return query.orderBy('job.created_at', 'desc').orderBy('job.id', 'desc').limit(limit).execute()
}

interface Rows {
  rows: FaxJobRow[]
  total: number
  isMinimum: boolean
}

/** A page of what a search finds, and one more when there is one. */
async function readFound(
  database: Database,
  filter: JobFilter,
  limit: number,
  after: Place | undefined,
): Promise<Rows> {
  const { places, isMinimum } = await searchJobs(database, filter)
  const from = after ? places.filter((place) => isBefore(after, place)) : places
  const ids = from.slice(0, limit + 1).map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await readJobs(database.db, {}, limit + 1, { ids })
  return { rows, total: places.length, isMinimum }
}

async function readPage(database: Database, filter: JobFilter, limit: number, after: Place | undefined): Promise<Rows> {
  if (filter.q?.trim()) return readFound(database, filter, limit, after)
  const [rows, count] = await Promise.all([
    readJobs(database.db, filter, limit + 1, { after }),
    countJobs(database.db, filter),
  ])
  return { rows, ...count }
}

/** One page of the faxes that may be seen, newest first. Nothing in it depends on the others. */
export async function listVisible(
  database: Database,
  filter: JobFilter & { visible: VisibleFaxes },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ jobs: FaxJobRow[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const rows = filter.q?.trim()
    ? (await readFound(database, filter, limit, after)).rows
    : await readJobs(database.db, filter, limit + 1, { after })
  const jobs = rows.slice(0, limit)
  const last = jobs.at(-1)
  return { jobs, nextCursor: rows.length > limit && last ? writeCursor(last) : null }
}

interface JobPage {
  jobs: JobSummary[]
  total: number
  total_is_minimum: boolean
  next_cursor: string | null
}

/** One page of jobs. The cost depends on the page, not on how many jobs there are. */
export async function listJobs(
  database: Database,
  query: JobFilter & { limit: number; cursor?: string | undefined },
  present: (job: FaxJobRow) => JobSummary,
): Promise<JobPage> {
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const { rows, total, isMinimum } = await readPage(database, query, query.limit, after)
  const jobs = rows.slice(0, query.limit)
  const last = jobs.at(-1)
  return {
    jobs: jobs.map(present),
    total,
    total_is_minimum: isMinimum,
    next_cursor: rows.length > query.limit && last ? writeCursor(last) : null,
  }
}
