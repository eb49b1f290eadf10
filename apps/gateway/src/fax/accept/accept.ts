import { type CommitGroup, createCommitGroup, groupOf, type Outcome } from '../../base/db/commit-group.ts'
import type { Database, Tx } from '../../base/db/database.ts'
import { insertAll } from '../../base/db/insert-all.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { GatewayContext } from '../../base/context.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isTestFax, ofTest } from '../../base/providers/test-line.ts'
import { metadataRows, ofBroadcast } from '../facts/labels.ts'
import { parked } from '../../base/queue/queue.ts'
import { addCounts } from '../move/counts.ts'
import { isHeld } from '../move/hold.ts'
import { faxWork } from '../move/ledger.ts'
import { bindKeys } from '../facts/idempotency.ts'

/** A job that is ready to be accepted. */
export interface NewJob {
  row: FaxJobRow
  /** First entry of its timeline. */
  sentence: string
  idempotency?: { key: string; fingerprint: string }
  /** Keeps what belongs to its document. */
  keepDocument?: ((tx: Tx) => void) | undefined
}

/** A job of which nothing has been tried yet. */
export const untried = (at: string) =>
  ({
    status: 'queued',
    phase: 'queued',
    pages_confirmed: null,
    error: null,
    error_kind: null,
    attempt_count: 0,
    next_try_at: null,
    attempt_id: null,
    provider_id: null,
    page_notes: null,
    header_line: null,
    hold: null,
    created_at: at,
    updated_at: at,
    finished_at: null,
  }) as const satisfies Partial<FaxJobRow>

export interface Accepted {
  job: FaxJobRow
  /** The Idempotency-Key was already used for the same fax: this repeats the first answer. */
  replayed: boolean
}

async function bind(tx: Tx, jobs: readonly NewJob[], now: Date): Promise<(string | Problem)[]> {
  const keyed = jobs.filter((job) => job.idempotency)
  const rows = keyed.map(({ row, idempotency }) => ({
    caller_key_id: row.caller_key_id,
    idempotency_key: idempotency?.key ?? '',
    fingerprint: idempotency?.fingerprint ?? '',
    job_id: row.id,
    created_at: row.created_at,
  }))
  const bound = await bindKeys(tx, rows, now)
  const byJob = new Map(
    keyed.map(({ row, idempotency }, index) => {
      const to = bound[index]
      const same = to?.fingerprint === idempotency?.fingerprint
      return [row.id, same && to ? to.job_id : new Problem('idempotency_conflict')]
    }),
  )
  return jobs.map(({ row }) => byJob.get(row.id) ?? row.id)
}

/** Stores jobs with their queue entries, timelines and events. The caller binds their idempotency keys. */
export async function insertJobs(
  tx: Tx,
  jobs: readonly NewJob[],
  { queue, events, providers }: Pick<GatewayContext, 'queue' | 'events' | 'providers'>,
): Promise<void> {
  if (jobs.length === 0) return
  const rows = jobs.map(({ row }) => row)
  for (const { keepDocument } of jobs) keepDocument?.(tx)
  await insertAll(tx, 'fax_jobs', rows)
  await insertAll(tx, 'fax_metadata', metadataRows(rows))
  const first = jobs.map(({ row, sentence }) => ({
    job_id: row.id,
    n: 1,
    at: row.created_at,
    event: 'queued',
    sentence,
    until: null,
  }))
  await insertAll(tx, 'fax_timeline', first)
  await queue.enqueue(
    tx,
    rows.map((row) => ({
      kind: faxWork,
      subjectId: row.id,
      lane: row.backend,
      exclusive: row.to_number,
      bulk: row.broadcast_id !== null,
      ...(isHeld(row) ? { dueAt: parked } : {}),
    })),
  )
  addCounts(tx, rows)
  await events.jobCreated(
    rows.map((row) => ({
      job_id: row.id,
      backend: row.backend,
      to: row.to_number,
      key_id: row.caller_key_id,
      pages: row.pages,
      ...ofBroadcast(row),
      ...ofTest(isTestFax(providers, row)),
    })),
    tx,
  )
}

async function storedOf(tx: Tx, jobs: readonly NewJob[]): Promise<Set<string>> {
  const ids = jobs.map(({ row }) => row.id)
  const rows = await tx.selectFrom('fax_jobs').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** @param again whether the same jobs may have been stored before, by a commit whose outcome nobody saw */
async function acceptAll(
  tx: Tx,
  jobs: readonly NewJob[],
  context: GatewayContext,
  again = false,
): Promise<Outcome<Accepted>[]> {
  const stored = again ? await storedOf(tx, jobs) : undefined
  const bound = await bind(tx, jobs, context.now())
  await insertJobs(
    tx,
    jobs.filter(({ row }, index) => bound[index] === row.id && !stored?.has(row.id)),
    context,
  )
  const outcomes: Outcome<Accepted>[] = []
  for (const [index, job] of jobs.entries()) {
    const to = bound[index]
    // A row without a binding was not inserted: it must not be promised.
    if (to === undefined) throw new Error('A job was left without an outcome.')
    if (to instanceof Problem) outcomes.push(to)
    else if (to === job.row.id) outcomes.push({ job: job.row, replayed: false })
    else {
      const first = await tx.selectFrom('fax_jobs').selectAll().where('id', '=', to).executeTakeFirst()
      outcomes.push(first ? { job: first, replayed: true } : new Problem('idempotency_conflict'))
    }
  }
  return outcomes
}

/**
 * Accepts a job as part of a larger transaction.
 * @param again the transaction may have been committed before
 * @throws {Problem} `idempotency_conflict`
 */
export async function acceptInside(context: GatewayContext, tx: Tx, job: NewJob, again = false): Promise<Accepted> {
  const [outcome] = await acceptAll(tx, [job], context, again)
  if (outcome === undefined || outcome instanceof Error)
    throw outcome ?? new Error('A job was left without an outcome.')
  return outcome
}

interface Waiting {
  context: GatewayContext
  job: NewJob
}

async function acceptWaiting(tx: Tx, waiting: readonly Waiting[], again: boolean): Promise<Outcome<Accepted>[]> {
  const [first] = waiting
  if (!first) return []
  const jobs = waiting.map(({ job }) => job)
  // A process has one context for each database.
  return acceptAll(tx, jobs, first.context, again)
}

const groups = new WeakMap<Database, CommitGroup<Waiting, Accepted>>()

/**
 * Commits a job with its queue entry, timeline and event. Jobs that arrive together share a commit; each has its own
 * outcome. When the promise resolves, the fax cannot be lost any more.
 * @throws {Problem} `idempotency_conflict`
 */
export function acceptJob(context: GatewayContext, job: NewJob): Promise<Accepted> {
  const { database } = context
  const group = groupOf(groups, database, () => createCommitGroup(database, acceptWaiting, { repeatable: true }))
  return group.add({ context, job })
}
