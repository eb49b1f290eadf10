import { Readable } from 'node:stream'
import type { GatewayContext } from '../context.ts'
import type { BroadcastRow } from '../db/tables/broadcasts.ts'
import { csvCell } from '../faxes/read/export.ts'
import { isTestLine } from '../providers/test-line.ts'
import { outcomeOf } from '../faxes/move/job-states.ts'
import { needsAttention } from '../faxes/move/move.ts'
import { readRecipientJobs, type RecipientOfJob } from './store.ts'

const atOnce = 500

const columns = [
  'Number',
  'Name',
  'Reference',
  'Outcome',
  'Status',
  'Pages confirmed',
  'Attempts',
  'Error',
  'Updated',
  'Fax ID',
  'Test line',
]

/** What became of a fax, in a word. One that the test line ended was not delivered to anybody. */
function outcomeWord(job: RecipientOfJob, isTest: boolean): string {
  const outcome = outcomeOf(job)
  if (isTest && outcome === 'delivered') return 'test passed'
  return outcome === 'queued' || outcome === 'in_progress' ? 'not finished' : outcome
}

function lineOf(job: RecipientOfJob, isTest: boolean): string {
  const { to_number, name, reference, status, pages_confirmed, attempt_count, error, updated_at, id } = job
  const cells = [
    to_number,
    name,
    reference,
    outcomeWord(job, isTest),
    status,
    pages_confirmed,
    attempt_count,
    error,
    updated_at,
    id,
    isTest ? 'yes: not sent' : 'no',
  ]
  return `${cells.map(csvCell).join(',')}\r\n`
}

async function* lines(context: GatewayContext, id: string) {
  yield `${columns.join(',')}\r\n`
  for (let after = 0; ;) {
    const jobs = await readRecipientJobs(context.database.db, id, after, atOnce)
    const ofTest = (job: RecipientOfJob) => isTestLine(context.providers, job.backend)
    if (jobs.length > 0) yield jobs.map((job) => lineOf(job, ofTest(job))).join('')
    after = jobs.at(-1)?.n ?? after
    if (jobs.length < atOnce) return
  }
}

/** What became of each fax of a broadcast, as CSV in the order of its list, read as fast as the caller takes it. */
export function exportBroadcast(context: GatewayContext, { id }: BroadcastRow): Readable {
  return Readable.from(lines(context, id))
}

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
