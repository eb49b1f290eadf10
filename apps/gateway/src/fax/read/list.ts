import { type JobSummary, maxSorted } from '@faxdeck/contract'
import type { Database, Reader } from '../../base/db/database.ts'
import { inPages } from '../../base/db/in-pages.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { grouped } from '../../base/grouped.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { VisibleFaxes } from '../../access/visible.ts'
import { countJobs, type JobFilter } from './job-filter.ts'
import {
  indexedOrder,
  isIndexed,
  type JobRef,
  newestFirst,
  type Order,
  type Place,
  placeOf,
  readCursor,
  readInOrder,
  readRefs,
  sortRefs,
  writeCursor,
} from './order.ts'
import { searchJobs } from './search.ts'

/** Whole rows, in the order of their ids. Those that are gone are left out. */
export async function readJobs(db: Reader, ids: readonly string[]): Promise<FaxJobRow[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('fax_jobs').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const atOnce = 500

/** Every job that fits, newest first, page after page. */
export async function* refPages(database: Database, filter: JobFilter): AsyncGenerator<JobRef[]> {
  const order = indexedOrder(filter)
  if (!filter.q?.trim()) {
    yield* inPages<JobRef>(atOnce, (last) =>
      readRefs(database.db, filter, order, { limit: atOnce, after: last && placeOf(last, order) }),
    )
    return
  }
  const found = sortRefs((await searchJobs(database, filter)).refs, newestFirst)
  for (let at = 0; at < found.length; at += atOnce) yield found.slice(at, at + atOnce)
}

interface Found {
  refs: JobRef[]
  /** The same, where they were read whole. */
  rows?: FaxJobRow[] | undefined
  total: number
  isMinimum: boolean
}

const tooMany = (sort: string) =>
  `More than ${grouped(maxSorted)} faxes match, too many to sort by ${sort}. Choose a shorter time range, or sort by time.`

/** All jobs that fit, for an order that no index holds. @throws {Problem} `bad_request` when there are too many */
async function readAll({ db }: Database, filter: JobFilter, { sort }: Order) {
  const refs = await readRefs(db, filter, indexedOrder(filter), { limit: maxSorted + 1 })
  if (refs.length > maxSorted) throw new Problem('bad_request', tooMany(sort))
  return { refs, isMinimum: false }
}

async function readPage(
  database: Database,
  filter: JobFilter,
  order: Order,
  { limit, after }: { limit: number; after: Place | undefined },
): Promise<Found> {
  if (!filter.q?.trim() && isIndexed(filter, order)) {
    const [rows, count] = await Promise.all([
      readInOrder(database.db, filter, order, { limit, after }),
      countJobs(database.db, filter, order.sort === 'ended'),
    ])
    return { refs: rows ?? (await readRefs(database.db, filter, order, { limit, after })), rows, ...count }
  }
  const found = filter.q?.trim() ? await searchJobs(database, filter) : await readAll(database, filter, order)
  const all = sortRefs(found.refs, order)
  const refs = after ? sortRefs(all, order, after) : all
  return { refs: refs.slice(0, limit), total: all.length, isMinimum: found.isMinimum }
}

/** The jobs of a page, of which one more was read to see whether there is another. */
async function shownPage({ db }: Database, { refs, rows }: Pick<Found, 'refs' | 'rows'>, order: Order, limit: number) {
  const shown = refs.slice(0, limit)
  const last = shown.at(-1)
  const ids = shown.map(({ id }) => id)
  const jobs = rows?.slice(0, limit) ?? (await readJobs(db, ids))
  return { jobs, nextCursor: refs.length > limit && last ? writeCursor(last, order) : null }
}

/** One page of the faxes that may be seen, newest first. Nothing in it depends on the others. */
export async function listVisible(
  database: Database,
  filter: JobFilter & { visible: VisibleFaxes },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ jobs: FaxJobRow[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : readCursor(cursor, newestFirst)
  const page = { limit: limit + 1, after }
  const isSearch = Boolean(filter.q?.trim())
  const rows = isSearch ? undefined : await readInOrder(database.db, filter, newestFirst, page)
  const refs = isSearch
    ? sortRefs((await searchJobs(database, filter)).refs, newestFirst, after).slice(0, page.limit)
    : (rows ?? (await readRefs(database.db, filter, newestFirst, page)))
  return shownPage(database, { refs, rows }, newestFirst, limit)
}

interface JobPage {
  jobs: JobSummary[]
  total: number
  total_is_minimum: boolean
  next_cursor: string | null
}

export interface JobQuery extends JobFilter, Partial<Order> {
  limit: number
  cursor?: string | undefined
}

/** One page of jobs. The cost depends on the page, not on how many jobs there are. */
export async function listJobs(
  database: Database,
  { limit, cursor, sort = newestFirst.sort, direction = newestFirst.direction, ...filter }: JobQuery,
  present: (jobs: readonly FaxJobRow[]) => readonly JobSummary[] | Promise<readonly JobSummary[]>,
): Promise<JobPage> {
  const order = { sort, direction }
  const after = cursor === undefined ? undefined : readCursor(cursor, order)
  const { refs, rows, total, isMinimum } = await readPage(database, filter, order, { limit: limit + 1, after })
  const { jobs, nextCursor } = await shownPage(database, { refs, rows }, order, limit)
  return { jobs: [...(await present(jobs))], total, total_is_minimum: isMinimum, next_cursor: nextCursor }
}
