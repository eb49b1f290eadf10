import { Readable } from 'node:stream'
import { type JobFilter, maskNumber } from '@faxdeck/contract'
import type { Database } from '../db/database.ts'
import type { FaxJobRow } from '../db/tables.ts'
import { readJobs } from './list.ts'
import { hideNumbers } from './present.ts'
import { type Place, searchJobs } from './search.ts'

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
]

/** One cell (RFC 4180). A leading = + - @ would make a spreadsheet run the text as a formula; a quote before it does not. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function csvLine(job: FaxJobRow): string {
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
  ]
  return cells.map(csvCell).join(',')
}

/** The jobs that fit, newest first, so many at a time. */
async function* batches(database: Database, filter: JobFilter, chosen: readonly string[] | undefined) {
  const found = filter.q?.trim() && !chosen ? await searchJobs(database, filter) : undefined
  const ids = chosen ?? found?.places.map(({ id }) => id)
  if (ids) {
    for (let at = 0; at < ids.length; at += atOnce) {
      yield await readJobs(database.db, filter, atOnce, { ids: ids.slice(at, at + atOnce) })
    }
    return
  }
  for (let after: Place | undefined; ;) {
    const jobs: FaxJobRow[] = await readJobs(database.db, filter, atOnce, { after })
    yield jobs
    const last = jobs.at(-1)
    if (!last || jobs.length < atOnce) return
    after = { createdAt: last.created_at, id: last.id }
  }
}

async function* csvLines(database: Database, filter: JobFilter, ids: readonly string[] | undefined) {
  yield `${columns.join(',')}\r\n`
  for await (const jobs of batches(database, filter, ids)) {
    if (jobs.length > 0) yield jobs.map((job) => `${csvLine(job)}\r\n`).join('')
  }
}

/** The jobs that fit as CSV, newest first, read as fast as the caller takes them. */
export function exportJobs(database: Database, filter: JobFilter, ids?: readonly string[]): Readable {
  return Readable.from(csvLines(database, filter, ids))
}
