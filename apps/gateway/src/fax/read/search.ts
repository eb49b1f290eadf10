import { setImmediate as turn } from 'node:timers/promises'
import type { Database, Reader } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { findFaxes } from '../../paper/page-text/find.ts'
import { labelsOf } from '../facts/labels.ts'
import { byStatus, filterJobs, fitsFilter, type JobFilter, judgedColumns } from './job-filter.ts'
import {
  alongIndex,
  indexedOrder,
  type JobRef,
  type Order,
  type Page,
  type Place,
  placeOf,
  readRefs,
  refColumns,
  sortRefs,
} from './order.ts'
import { endingDigits, reverseDigits } from '../../base/number.ts'
import { partsOf, visibleIn } from '../../access/visible.ts'

/** Words are looked for in this many jobs, ids and numbers find this many: a search stays quick among millions. */
const wordReach = 10_000
const rangeReach = 2000
const atOnce = 1000

export interface Found {
  /** In no order. */
  refs: JobRef[]
  /** True when there may be more. */
  isMinimum: boolean
}

const refOf = ({ id, created_at, updated_at, finished_at, pages }: JobRef): JobRef => {
  return { id, created_at, updated_at, finished_at, pages }
}

/** Jobs whose id, or whose number read backwards, begins so: an index answers, among all jobs. */
async function beginning(database: Database, filter: JobFilter, column: 'id' | 'to_reversed', start: string) {
  const { visible = 'all', to, reference, metadata } = filter
  // What hangs on other faxes too is known to the database alone.
  const status = byStatus(filter).some(({ status }) => status === 'unresolved') ? filter.status : undefined
  let found = database.db
    .selectFrom('fax_jobs')
    .select(['id', 'updated_at', 'pages', ...judgedColumns])
    .where(column, '>=', start)
    .where(column, '<', `${start}g`)
  // Asked of the database, so that the limit counts no fax that may not be seen.
  const seen = visibleIn(visible, 'fax_jobs')
  if (seen) found = found.where(seen)
  const rows = await found.limit(rangeReach).execute()
  // The rest of the filter is judged here: with it in the query the database might take another, longer way.
  const refs = rows.filter((row) => fitsFilter(row, filter)).map(refOf)
  const isMinimum = rows.length === rangeReach
  if ((!to && !reference && !metadata && !status) || refs.length === 0) return { refs, isMinimum }
  const ids = refs.map(({ id }) => id)
  const exact = filterJobs(database.db, { to, reference, metadata, status }, ids).select([...refColumns])
  return { refs: await exact.execute(), isMinimum }
}

type Texts = Pick<FaxJobRow, 'file_name' | 'error' | 'reference' | 'metadata'>
const textColumns = ['job.file_name', 'job.error', 'job.reference', 'job.metadata'] as const

const textsOf = (job: Texts) => [job.file_name, job.error, job.reference, ...Object.values(labelsOf(job).metadata)]

async function readTexts(db: Reader, filter: JobFilter, order: Order, page: Page): Promise<(JobRef & Texts)[]> {
  if (order.sort === 'created' && byStatus(filter).length === 1 && partsOf(filter.visible ?? 'all').length === 1)
    return alongIndex(db, filter, order, page)
      .select([...textColumns])
      .execute()
  const refs = await readRefs(db, filter, order, page)
  // PostgreSQL takes no empty list.
  if (refs.length === 0) return []
  const ids = refs.map(({ id }) => id)
  const rows = await filterJobs(db, {}, ids)
    .select([...refColumns, ...textColumns])
    .execute()
  return sortRefs(rows, order)
}

/** Jobs with these words in their file's name, their error or their labels, among the newest that fit the rest of the filter. */
async function withWords({ db }: Database, filter: JobFilter, words: string): Promise<Found> {
  const has = (text: string | null) => text?.toLowerCase().includes(words) ?? false
  const order = indexedOrder(filter)
  const found: JobRef[] = []
  let after: Place | undefined
  for (let read = 0; read < wordReach; read += atOnce) {
    const rows = await readTexts(db, filter, order, { limit: atOnce, after })
    for (const row of rows) if (textsOf(row).some(has)) found.push(refOf(row))
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) return { refs: found, isMinimum: false }
    after = placeOf(last, order)
    await turn()
  }
  return { refs: found, isMinimum: true }
}

async function onPages(database: Database, filter: JobFilter, words: string): Promise<Found> {
  const { ids, isMinimum } = await findFaxes(database, 'sent', words, { visible: filter.visible ?? 'all' })
  if (ids.length === 0) return { refs: [], isMinimum }
  return {
    refs: await filterJobs(database.db, filter, ids)
      .select([...refColumns])
      .execute(),
    isMinimum,
  }
}

/** The jobs that fit a filter with a search: an id's beginning, a number's end, or words of the file's name, the error or its pages. */
export async function searchJobs(database: Database, filter: JobFilter): Promise<Found> {
  const words = filter.q?.trim().toLowerCase() ?? ''
  const digits = reverseDigits(endingDigits(words))
  const found = [await withWords(database, filter, words)]
  const visible = filter.visible ?? 'all'
  // The pages of one sender are not searched: among those of millions they are few and have no index of their own.
  if (visible === 'all' || visible.groups.length > 0) found.push(await onPages(database, filter, words))
  if (/^[0-9a-f]{4,32}$/.test(words)) found.push(await beginning(database, filter, 'id', words))
  if (digits.length >= 3 && /^[\d\s+().…-]+$/.test(words)) {
    found.push(await beginning(database, filter, 'to_reversed', digits))
  }
  const refs = new Map(found.flatMap((part) => part.refs).map((ref) => [ref.id, ref]))
  return { refs: [...refs.values()], isMinimum: found.some((part) => part.isMinimum) }
}
