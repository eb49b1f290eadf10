import type { Tx } from '../../base/db/database.ts'
import { insertAll } from '../../base/db/insert-all.ts'
import { type RowChange, updateAll } from '../../base/db/update-all.ts'
import type { DocumentTokenRow, FaxAttemptRow, FaxJobRow, FaxTimelineRow } from '../../base/db/tables/tables.ts'
import type { Claim, Later } from '../../base/queue/queue.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { moveCounts, moveEnded } from './counts.ts'
import type { GatewayContext } from '../../base/context.ts'
import { addToTimeline, type TimelineEntry } from './timeline.ts'

/** Queued work that takes a fax one step further. A job has one such row until it has ended. */
export const faxWork = 'fax'

/** A job that a transaction moves, and the lease under which that is done. */
interface Concerned {
  jobId: string
  claim?: Claim | undefined
}

/** The jobs, locked in one order to avoid deadlocks. */
async function readJobs({ database }: GatewayContext, tx: Tx, ids: readonly string[]): Promise<FaxJobRow[]> {
  const jobs = tx.selectFrom('fax_jobs').selectAll().where('id', 'in', ids)
  return jobs.$if(database.engine === 'postgres', (query) => query.orderBy('id').forUpdate()).execute()
}

/** Rows that are to be written, each once, however often it changes. */
class Changes<R extends { id: string }> {
  readonly #changes = new Map<string, Partial<R>>()

  /** Changes the row object as well, so that later moves see the change. */
  add(row: R, change: Partial<R>): void {
    Object.assign(row, change)
    this.#changes.set(row.id, { ...this.#changes.get(row.id), ...change })
  }

  all = (): RowChange[] => [...this.#changes].map(([id, change]) => ({ id, change }))
}

/**
 * The jobs and attempts that the moves of one transaction are about. They are read at once, change in memory, so that
 * each move finds what the one before it left, and are written at the end: many moves cost few statements.
 */
export class Ledger {
  readonly #context: GatewayContext
  readonly #tx: Tx
  readonly #jobs: ReadonlyMap<string, FaxJobRow>
  readonly #attempts: Map<string, FaxAttemptRow>
  readonly #held: ReadonlySet<Claim>
  readonly #jobChanges = new Changes<FaxJobRow>()
  readonly #attemptChanges = new Changes<FaxAttemptRow>()
  readonly #begun: FaxAttemptRow[] = []
  readonly #links: DocumentTokenRow[] = []
  readonly #entries: Omit<FaxTimelineRow, 'n'>[] = []
  readonly #settled = new Map<string, Later | null>()

  private constructor(
    context: GatewayContext,
    tx: Tx,
    rows: { jobs: readonly FaxJobRow[]; attempts: readonly FaxAttemptRow[]; held: ReadonlySet<Claim> },
  ) {
    this.#context = context
    this.#tx = tx
    this.#jobs = new Map(rows.jobs.map((job) => [job.id, job]))
    this.#attempts = new Map(rows.attempts.map((attempt) => [attempt.id, attempt]))
    this.#held = rows.held
  }

  static async open(context: GatewayContext, tx: Tx, concerned: readonly Concerned[]): Promise<Ledger> {
    const ids = [...new Set(concerned.map(({ jobId }) => jobId))]
    const jobs = await readJobs(context, tx, ids)
    const attempts = await tx.selectFrom('fax_attempts').selectAll().where('job_id', 'in', ids).execute()
    const claims = concerned.flatMap(({ claim }) => claim ?? [])
    return new Ledger(context, tx, { jobs, attempts, held: await context.queue.held(tx, claims) })
  }

  job(id: string): FaxJobRow | undefined {
    return this.#jobs.get(id)
  }

  attempt(id: string, jobId: string): FaxAttemptRow | undefined {
    const attempt = this.#attempts.get(id)
    return attempt?.job_id === jobId ? attempt : undefined
  }

  /** The attempts at a job, in order. */
  attemptsOf(jobId: string): FaxAttemptRow[] {
    const all = [...this.#attempts.values()].filter(({ job_id }) => job_id === jobId)
    return all.sort((a, b) => a.number - b.number)
  }

  /** Whether the lease still stands, also after the moves made so far. */
  isHeld(claim: Claim): boolean {
    return this.#held.has(claim) && !this.#settled.has(claim.subjectId)
  }

  /** @returns the job as it is now */
  changeJob(job: FaxJobRow, change: Partial<FaxJobRow>): FaxJobRow {
    const before = { ...job }
    this.#jobChanges.add(job, change)
    moveCounts(this.#tx, before, job)
    moveEnded(this.#tx, before, job, (ended) => isTestFax(this.#context.providers, ended))
    return { ...job }
  }

  beginAttempt(attempt: FaxAttemptRow): void {
    this.#attempts.set(attempt.id, attempt)
    this.#begun.push(attempt)
  }

  addLink(link: DocumentTokenRow): void {
    this.#links.push(link)
  }

  changeAttempt(attempt: FaxAttemptRow, change: Partial<FaxAttemptRow>): void {
    // One that has just begun is written as it stands at the end.
    if (this.#begun.includes(attempt)) Object.assign(attempt, change)
    else this.#attemptChanges.add(attempt, change)
  }

  note(jobId: string, { at, event, sentence, until }: TimelineEntry): void {
    const row = { job_id: jobId, at: at.toISOString(), event, sentence, until: until?.toISOString() ?? null }
    this.#entries.push(row)
  }

  /** Whether the timeline says this already. */
  async isNoted(jobId: string, sentence: string): Promise<boolean> {
    if (this.#entries.some((entry) => entry.job_id === jobId && entry.sentence === sentence)) return true
    const same = this.#tx.selectFrom('fax_timeline').select('n').where('job_id', '=', jobId)
    return (await same.where('sentence', '=', sentence).executeTakeFirst()) !== undefined
  }

  /** When the work on a job goes on; null when there is none left. */
  settle(jobId: string, later: Later | null): void {
    this.#settled.set(jobId, later)
  }

  /** Writes everything. Nothing may be changed afterwards. */
  async write(): Promise<void> {
    const tx = this.#tx
    const { engine } = this.#context.database
    await updateAll(tx, engine, 'fax_jobs', this.#jobChanges.all())
    await insertAll(tx, 'fax_attempts', this.#begun)
    await insertAll(tx, 'document_tokens', this.#links)
    await updateAll(tx, engine, 'fax_attempts', this.#attemptChanges.all())
    await addToTimeline(tx, this.#entries)
    const settlements = [...this.#settled].map(([subjectId, later]) => ({ subjectId, later }))
    await this.#context.queue.settle(tx, faxWork, settlements)
  }

  /** The jobs that no work is left for. */
  ended(): FaxJobRow[] {
    return [...this.#settled].flatMap(([id, later]) => (later === null ? (this.#jobs.get(id) ?? []) : []))
  }
}
