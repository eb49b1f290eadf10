import type { Readable } from 'node:stream'
import { maskNumber } from '@faxdeck/contract'
import type { Database } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { type Columns, csvStream } from '../../base/http/answers/csv.ts'
import { isVisible, type VisibleFaxes } from '../../access/visible.ts'
import type { JobFilter } from './job-filter.ts'
import { readJobs, refPages } from './list.ts'
import { hideNumbers } from './present.ts'

type VisibleFilter = JobFilter & { visible: VisibleFaxes }
type IsTest = (job: FaxJobRow) => boolean

const columnsWith = (isTest: IsTest): Columns<FaxJobRow> => ({
  'Job ID': ({ id }) => id,
  'To Number': ({ to_number: to }) => maskNumber(to),
  Status: ({ status }) => status,
  Backend: ({ backend }) => backend,
  Pages: ({ pages }) => pages,
  'Pages confirmed': ({ pages_confirmed: pages }) => pages,
  Attempts: ({ attempt_count: attempts }) => attempts,
  Error: ({ error }) => hideNumbers(error),
  Created: ({ created_at: at }) => at,
  Updated: ({ updated_at: at }) => at,
  'Test line': (job) => (isTest(job) ? 'yes: not sent' : 'no'),
  Reference: ({ reference }) => reference,
  Metadata: ({ metadata }) => metadata,
})

const idsOf = (refs: readonly { id: string }[]) => refs.map(({ id }) => id)

async function* pagesOf(database: Database, filter: VisibleFilter, chosen: readonly string[] | undefined) {
  if (chosen) yield (await readJobs(database.db, chosen)).filter((job) => isVisible(filter.visible, job))
  else for await (const refs of refPages(database, filter)) yield await readJobs(database.db, idsOf(refs))
}

/**
 * The jobs that fit as CSV, newest first.
 * @param isTest whether a fax was only a test
 */
export const exportJobs = (
  database: Database,
  isTest: IsTest,
  filter: VisibleFilter,
  ids?: readonly string[],
): Promise<Readable> => csvStream(columnsWith(isTest), pagesOf(database, filter, ids))
