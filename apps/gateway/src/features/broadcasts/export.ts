import type { Readable } from 'node:stream'
import type { GatewayContext } from '../../base/context.ts'
import { inPages } from '../../base/db/in-pages.ts'
import type { BroadcastRow } from '../../base/db/tables/broadcasts.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { outcomeOf } from '../../fax/move/job-states.ts'
import { needsAttention } from '../../fax/move/move.ts'
import { type Columns, csvStream } from '../../base/http/answers/csv.ts'
import { readRecipientJobs, type RecipientOfJob } from './store.ts'

const atOnce = 500

/** What became of a fax, in a word. One that was only a test was not delivered to anybody. */
function outcomeWord(job: RecipientOfJob, isTest: boolean): string {
  const outcome = outcomeOf(job)
  if (isTest && outcome === 'delivered') return 'test passed'
  return outcome === 'queued' || outcome === 'in_progress' ? 'not finished' : outcome
}

const columnsWith = (isTest: (job: RecipientOfJob) => boolean): Columns<RecipientOfJob> => ({
  Number: ({ to_number: to }) => to,
  Name: ({ name }) => name,
  Reference: ({ reference }) => reference,
  Outcome: (job) => outcomeWord(job, isTest(job)),
  Status: ({ status }) => status,
  'Pages confirmed': ({ pages_confirmed: pages }) => pages,
  Attempts: ({ attempt_count: attempts }) => attempts,
  Error: ({ error }) => error,
  Updated: ({ updated_at: at }) => at,
  'Fax ID': ({ id }) => id,
  'Test line': (job) => (isTest(job) ? 'yes: not sent' : 'no'),
})

/** What became of each fax of a broadcast, as CSV in the order of its list. */
export const exportBroadcast = (
  { database: { db }, providers }: GatewayContext,
  { id }: BroadcastRow,
): Promise<Readable> =>
  csvStream(
    columnsWith((job) => isTestFax(providers, job)),
    inPages<RecipientOfJob>(atOnce, (last) => readRecipientJobs(db, id, last?.n ?? 0, atOnce)),
  )

/** The recipients of a broadcast after a place in its list. */
export async function listRecipients(
  { database }: GatewayContext,
  { id }: BroadcastRow,
  { after, limit }: { after: number; limit: number },
) {
  const found = await readRecipientJobs(database.db, id, after, limit + 1)
  const recipients = found.slice(0, limit).map((job) => ({
    n: job.n,
    fax_id: job.id,
    to: job.to_number,
    name: job.name,
    reference: job.reference,
    status: job.status,
    needs_attention: needsAttention(job),
    error: job.error,
    error_kind: job.error_kind,
  }))
  return { recipients, next_after: found.length > limit ? (recipients.at(-1)?.n ?? null) : null }
}
