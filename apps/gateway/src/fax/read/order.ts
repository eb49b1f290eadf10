import { type JobSort, maxSorted } from '@faxdeck/contract'
import type { Reader } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import {
  type Place as PlaceOf,
  readCursor as readPlace,
  writeCursor as writePlace,
} from '../../base/http/answers/cursor.ts'
import { grouped } from '../../base/grouped.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { partsOf } from '../../access/visible.ts'
import {
  byStatus,
  filterJobs,
  fitsFilter,
  isState,
  type JobFilter,
  judgedColumns,
  type OneStatus,
} from './job-filter.ts'

/** What a list is sorted by, ties by id in the same direction. */
export interface Order {
  sort: JobSort
  direction: 'desc' | 'asc'
}
export const newestFirst: Order = { sort: 'created', direction: 'desc' }

const columns = { created: 'created_at', updated: 'updated_at', ended: 'finished_at', pages: 'pages' } as const

/** A job as far as its place in any order goes. */
export type JobRef = Pick<FaxJobRow, 'id' | (typeof columns)[JobSort]>
export const refColumns = ['job.id', 'job.created_at', 'job.updated_at', 'job.finished_at', 'job.pages'] as const

/** Where a job stands in an order. */
export type Place = PlaceOf<string | number>

export const placeOf = (ref: JobRef, { sort }: Order): Place => ({ value: ref[columns[sort]] ?? '', id: ref.id })

function comparePlaces(a: Place, b: Place, { direction }: Order): number {
  const later = a.value === b.value ? a.id > b.id : a.value > b.value
  return (a.id === b.id ? 0 : later ? 1 : -1) * (direction === 'asc' ? 1 : -1)
}

/** In an order, from a place on. By `ended` those that have not ended are left out. */
export function sortRefs<R extends JobRef>(refs: readonly R[], order: Order, after?: Place): R[] {
  const column = columns[order.sort]
  return refs
    .filter((ref) => ref[column] !== null && (!after || comparePlaces(after, placeOf(ref, order), order) < 0))
    .toSorted((a, b) => comparePlaces(placeOf(a, order), placeOf(b, order), order))
}

const nameOf = ({ sort, direction }: Order) => `${sort} ${direction} `

/** A place as a text that callers give back. It names its order: a place in another one is refused. */
export const writeCursor = (ref: JobRef, order: Order): string => writePlace(placeOf(ref, order), nameOf(order))

/** @throws {Problem} `bad_request` */
export function readCursor(cursor: string, order: Order): Place {
  const { value, id } = readPlace(cursor, nameOf(order))
  return { value: order.sort === 'pages' ? Number(value) : value, id }
}

/** Whether one of the lists that hold few faxes is asked for. */
const short = (filter: JobFilter) => byStatus(filter).some(({ status }) => isState(status))
const isRanged = ({ from, to_date: until }: JobFilter) => from !== undefined || until !== undefined

const isNarrowed = (filter: JobFilter) =>
  isRanged(filter) || [filter.backend, filter.broadcast, filter.group].some((each) => each !== undefined)

const isOfGroups = ({ group, visible = 'all' }: JobFilter) =>
  group !== undefined || (visible !== 'all' && visible.groups.length > 0)

/** Whether an index holds the jobs that fit in this order, however many there are. */
export function isIndexed(filter: JobFilter, { sort }: Order): boolean {
  // A group has one index, by creation: its faxes in another order are sorted in memory.
  if (isOfGroups(filter) && sort !== 'created') return false
  if (short(filter)) return sort === 'created' && !isNarrowed(filter)
  return !isRanged(filter) || sort === (filter.time ?? 'created')
}

/** The order of an index that holds the jobs that fit, for those that are then sorted in memory. */
export const indexedOrder = (filter: JobFilter): Order => {
  const byEnd = isRanged(filter) && filter.time === 'ended' && !short(filter)
  return { sort: byEnd ? 'ended' : 'created', direction: 'desc' }
}

/** Provider and status of all jobs that there are and that may fit. */
async function lanesOf(db: Reader, { status, backend }: OneStatus, { sort }: Order) {
  let lanes = db.selectFrom('job_counts').select(['backend', 'status']).where('jobs', '>', 0)
  lanes = status
    ? lanes.where('status', '=', status)
    : lanes.where('status', 'not in', ['attention', 'held', 'waiting'])
  if (sort === 'ended') lanes = lanes.where('status', 'in', ['SUCCESS', 'FAILED'])
  if (backend) lanes = lanes.where('backend', '=', backend)
  return lanes.orderBy('backend').orderBy('status').execute()
}

export interface Page {
  limit: number
  after?: Place | undefined
}

/** Jobs that fit, search aside, in an order that an index holds with nothing but these conditions before it: by creation, or of one provider and status. */
export function alongIndex(db: Reader, filter: JobFilter, { sort, direction }: Order, { limit, after }: Page) {
  const column = `job.${columns[sort]}` as const
  let jobs = filterJobs(db, filter).select([...refColumns])
  if (sort === 'ended') jobs = jobs.where(column, 'is not', null)
  if (after) {
    const beyond = direction === 'desc' ? '<' : '>'
    jobs = jobs.where((eb) => eb(eb.refTuple(column, 'job.id'), beyond, eb.tuple(after.value, after.id)))
  }
  return jobs.orderBy(column, direction).orderBy('job.id', direction).limit(limit)
}

/**
 * Those of a short list that fit the rest of a filter. It is judged here: with it in the query, a database takes the
 * index of all jobs of a provider or a time, and looks through a million of them for the few.
 * @throws {Problem} `bad_request` when the list is not short
 */
async function narrowShort(db: Reader, filter: JobFilter, order: Order, { limit, after }: Page): Promise<JobRef[]> {
  const { backend, group, broadcast, outcome, from, to_date: until, ...asked } = filter
  const whole = alongIndex(db, asked, newestFirst, { limit: maxSorted + 1 })
  const rows = await whole.select(judgedColumns.map((name) => `job.${name}` as const)).execute()
  if (rows.length > maxSorted)
    throw new Problem(
      'bad_request',
      `More than ${grouped(maxSorted)} faxes are in this state. Clear the other filters.`,
    )
  const fitting = rows.filter((row) => fitsFilter(row, filter))
  return sortRefs(fitting, order, after).slice(0, limit)
}

/**
 * Whole jobs where a single index holds them in order, which takes half the time of finding them first and reading them
 * by their ids; undefined where it does not.
 */
export function readInOrder(db: Reader, filter: JobFilter, order: Order, page: Page): Promise<FaxJobRow[]> | undefined {
  if (order.sort !== 'created' || (short(filter) && isNarrowed(filter))) return undefined
  if (partsOf(filter.visible ?? 'all').length > 1 || Array.isArray(filter.status)) return undefined
  return alongIndex(db, filter, order, page).clearSelect().selectAll('job').execute()
}

/** The first of what was found in several ways, each of which gave as many. */
function merge(found: readonly JobRef[], order: Order, { limit }: Page): JobRef[] {
  const once = new Map(found.map((ref) => [ref.id, ref]))
  return sortRefs([...once.values()], order).slice(0, limit)
}

/** By creation. What the viewer sent and what each group has are read along an index each, and merged. */
async function readParts(db: Reader, filter: JobFilter, order: Order, page: Page): Promise<JobRef[]> {
  const parts = partsOf(filter.visible ?? 'all')
  const found: JobRef[] = []
  for (const visible of parts) found.push(...(await alongIndex(db, { ...filter, visible }, order, page).execute()))
  return parts.length === 1 ? found : merge(found, order, page)
}

/**
 * Jobs that fit, search aside, in an order for which `isIndexed` holds. Orders other than by creation have one index
 * each, which begins with provider and status: the first rows of each such lane are merged, and those of each status.
 */
export async function readRefs(db: Reader, filter: JobFilter, order: Order, page: Page): Promise<JobRef[]> {
  const [one = {}, ...others] = byStatus(filter)
  if (others.length === 0) return readLanes(db, one, order, page)
  const found: JobRef[] = []
  for (const each of byStatus(filter)) found.push(...(await readLanes(db, each, order, page)))
  return merge(found, order, page)
}

async function readLanes(db: Reader, filter: OneStatus, order: Order, page: Page): Promise<JobRef[]> {
  if (short(filter) && isNarrowed(filter)) return narrowShort(db, filter, order, page)
  if (order.sort === 'created') return readParts(db, filter, order, page)
  const lanes = await lanesOf(db, filter, order)
  const [first, ...others] = lanes.map(({ backend, status }) => {
    // Without a status asked for, held faxes are in the lane of the status that they keep.
    const lane = alongIndex(db, { ...filter, backend }, order, page).where(
      'job.status',
      '=',
      status as FaxJobRow['status'],
    )
    return db.selectFrom(lane.as('lane')).selectAll()
  })
  if (!first) return []
  const all = others.reduce((merged, lane) => merged.unionAll(lane), first)
  return all.orderBy(columns[order.sort], order.direction).orderBy('id', order.direction).limit(page.limit).execute()
}
