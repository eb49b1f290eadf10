import type { JobFilter, JobSummary } from '@faxdeck/contract'
import type { Database } from '../db/database.ts'
import type { FaxJobRow } from '../db/tables.ts'
import { Problem } from '../http/problem.ts'
import { countJobs, filterJobs } from './job-filter.ts'
import type { JobAbilities } from './present.ts'
import { presentSummary } from './present.ts'

interface Place {
  createdAt: string
  id: string
}

const writeCursor = (job: FaxJobRow) => Buffer.from(`${job.created_at} ${job.id}`).toString('base64url')

function readCursor(cursor: string): Place {
  const [createdAt, id] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!createdAt || !id) {
    throw new Problem('bad_request', 'The cursor is not one this list gave. Begin again without a cursor.')
  }
  return { createdAt, id }
}

/** Whole rows that fit, newest first, from a place on. */
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
  abilitiesOf: (backend: string) => JobAbilities,
): Promise<JobPage> {
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const [rows, { total, isMinimum }] = await Promise.all([
    readJobs(database.db, query, query.limit + 1, { after }),
    countJobs(database.db, query),
  ])
  const jobs = rows.slice(0, query.limit)
  const last = jobs.at(-1)
  return {
    jobs: jobs.map((job) => presentSummary(job, abilitiesOf(job.backend))),
    total,
    total_is_minimum: isMinimum,
    next_cursor: rows.length > query.limit && last ? writeCursor(last) : null,
  }
}
