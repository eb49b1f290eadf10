import { Readable } from 'node:stream'
import { maskNumber } from '@faxdeck/contract'
import type { Database } from '../../db/database.ts'
import type { FaxJobRow } from '../../db/tables/tables.ts'
import { readJobs } from './list.ts'
import { hideNumbers } from './present.ts'
import { indexedOrder, newestFirst, type JobRef, type Place, placeOf, readRefs, sortRefs } from './order.ts'
import { isVisible, type VisibleFaxes } from '../visible.ts'
import type { JobFilter } from './job-filter.ts'
import { searchJobs } from './search.ts'

type VisibleFilter = JobFilter & { visible: VisibleFaxes }

const atOnce = 500
const columns = [
  'Job ID',
  'To Number',
  'Status',
  'Backend',
  'Pages',
  'Pages confirmed',
  'Attempts',
  'Error',
  'Created',
  'Updated',
  'Test line',
  'Reference',
  'Metadata',
]

/** One cell (RFC 4180). A leading = + - @ would make a spreadsheet run the text as a formula; a quote before it does not. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function csvLine(job: FaxJobRow, isTest: boolean): string {
  const { id, to_number, status, backend, pages, pages_confirmed, attempt_count, error, created_at, updated_at } = job
  const cells = [
    id,
    maskNumber(to_number),
    status,
    backend,
    pages,
    pages_confirmed,
    attempt_count,
    hideNumbers(error),
    created_at,
    updated_at,
    isTest ? 'yes: not sent' : 'no',
    job.reference,
    job.metadata,
  ]
  return cells.map(csvCell).join(',')
}

/** The ids of the jobs that fit, newest first, so many at a time. */
async function* batchesOfIds(database: Database, filter: JobFilter): AsyncGenerator<string[]> {
  if (filter.q?.trim()) {
    const found = sortRefs((await searchJobs(database, filter)).refs, newestFirst)
    for (let at = 0; at < found.length; at += atOnce) yield found.slice(at, at + atOnce).map(({ id }) => id)
    return
  }
  const order = indexedOrder(filter)
  for (let after: Place | undefined; ;) {
    const refs: JobRef[] = await readRefs(database.db, filter, order, { limit: atOnce, after })
    if (refs.length > 0) yield refs.map(({ id }) => id)
    const last = refs.at(-1)
    if (!last || refs.length < atOnce) return
    after = placeOf(last, order)
  }
}

async function* batches(database: Database, filter: VisibleFilter, chosen: readonly string[] | undefined) {
  if (chosen) yield (await readJobs(database.db, chosen)).filter((job) => isVisible(filter.visible, job))
  else for await (const ids of batchesOfIds(database, filter)) yield await readJobs(database.db, ids)
}

type IsTest = (backend: string) => boolean

async function* csvLines(
  database: Database,
  isTest: IsTest,
  filter: VisibleFilter,
  ids: readonly string[] | undefined,
) {
  yield `${columns.join(',')}\r\n`
  for await (const jobs of batches(database, filter, ids)) {
    if (jobs.length > 0) yield jobs.map((job) => `${csvLine(job, isTest(job.backend))}\r\n`).join('')
  }
}

async function* resumed(read: readonly IteratorResult<string, void>[], rest: AsyncIterable<string>) {
  for (const { done, value } of read) if (!done) yield value
  yield* rest
}

/**
 * The jobs that fit as CSV, newest first, read as fast as the caller takes them.
 * @param isTest whether a backend is the test line
 * @throws what keeps the first of them from being read: nothing has been answered yet then
 */
export async function exportJobs(
  database: Database,
  isTest: IsTest,
  filter: VisibleFilter,
  ids?: readonly string[],
): Promise<Readable> {
  const lines = csvLines(database, isTest, filter, ids)
  const read = [await lines.next(), await lines.next()]
  return Readable.from(resumed(read, lines))
}
