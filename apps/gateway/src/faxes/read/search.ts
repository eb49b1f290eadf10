import { setImmediate as turn } from 'node:timers/promises'
import type { JobFilter } from '@faxdeck/contract'
import type { Database } from '../../db/database.ts'
import type { FaxJobRow } from '../../db/tables/tables.ts'
import { findFaxes } from '../../page-text/find.ts'
import { filterJobs, fitsFilter } from './job-filter.ts'
import { reverseDigits } from '../accept/number.ts'

/** Words are looked for in this many jobs, ids and numbers find this many: a search stays quick among millions. */
const wordReach = 10_000
const rangeReach = 2000
/** Jobs read between two turns of the event loop. */
const atOnce = 1000

/** Where a job stands in the order of all lists: newest first. */
export interface Place {
  createdAt: string
  id: string
}

export interface Found {
  /** Newest first. */
  places: Place[]
  /** True when there may be more. */
  isMinimum: boolean
}

export const isBefore = (a: Place, b: Place): boolean =>
  a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt

const placeOf = ({ created_at: createdAt, id }: Pick<FaxJobRow, 'id' | 'created_at'>): Place => ({ createdAt, id })

/** Jobs whose id, or whose number read backwards, begins so: an index answers, among all jobs. */
async function beginning(database: Database, filter: JobFilter, column: 'id' | 'to_reversed', start: string) {
  const rows = await database.db
    .selectFrom('fax_jobs')
    .select(['id', 'created_at', 'status', 'phase', 'hold', 'backend', 'broadcast_id'])
    .where(column, '>=', start)
    .where(column, '<', `${start}g`)
    .limit(rangeReach)
    .execute()
  // The rest of the filter is judged here: with it in the query the database might take another, longer way.
  const places = rows.filter((row) => fitsFilter(row, filter)).map(placeOf)
  return { places, isMinimum: rows.length === rangeReach }
}

/** Jobs with these words in their file's name or their error, among the newest that fit the rest of the filter. */
async function withWords(database: Database, filter: JobFilter, words: string): Promise<Found> {
  const has = (text: string | null) => text?.toLowerCase().includes(words) ?? false
  const places: Place[] = []
  let last: Pick<FaxJobRow, 'id' | 'created_at'> | undefined
  for (let read = 0; read < wordReach; read += atOnce) {
    let jobs = filterJobs(database.db, filter).select(['job.id', 'job.created_at', 'job.file_name', 'job.error'])
    const { created_at, id } = last ?? {}
    if (created_at !== undefined && id !== undefined) {
      jobs = jobs.where((eb) => eb(eb.refTuple('job.created_at', 'job.id'), '<', eb.tuple(created_at, id)))
    }
    const rows = await jobs.orderBy('job.created_at', 'desc').orderBy('job.id', 'desc').limit(atOnce).execute()
    for (const row of rows) if (has(row.file_name) || has(row.error)) places.push(placeOf(row))
    last = rows.at(-1)
    if (rows.length < atOnce) return { places, isMinimum: false }
    await turn()
  }
  return { places, isMinimum: true }
}

/** Jobs with these words on a page. */
async function onPages(database: Database, filter: JobFilter, words: string): Promise<Found> {
  const { ids, isMinimum } = await findFaxes(database, 'sent', words)
  if (ids.length === 0) return { places: [], isMinimum }
  const rows = await filterJobs(database.db, filter, ids).select(['job.id', 'job.created_at']).execute()
  return { places: rows.map(placeOf), isMinimum }
}

/** The jobs that fit a filter with a search: an id's beginning, a number's end, or words of the file's name, the error or its pages. */
export async function searchJobs(database: Database, filter: JobFilter): Promise<Found> {
  const words = filter.q?.trim().toLowerCase() ?? ''
  const digits = reverseDigits(words)
  const found = [await withWords(database, filter, words), await onPages(database, filter, words)]
  if (/^[0-9a-f]{4,32}$/.test(words)) found.push(await beginning(database, filter, 'id', words))
  if (digits.length >= 3 && /^[\d\s+().-]+$/.test(words)) {
    found.push(await beginning(database, filter, 'to_reversed', digits))
  }
  const places = new Map(found.flatMap((part) => part.places).map((place) => [place.id, place]))
  return {
    places: [...places.values()].toSorted((a, b) => (isBefore(a, b) ? -1 : 1)),
    isMinimum: found.some((part) => part.isMinimum),
  }
}
