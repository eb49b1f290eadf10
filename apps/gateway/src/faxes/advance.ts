import { rm } from 'node:fs/promises'
import type { Tx } from '../db/database.ts'
import type { FaxAttemptRow, FaxJobRow } from '../db/tables.ts'
import { transactTogether } from '../db/commit-group.ts'
import { afterCommit } from '../db/transact.ts'
import type { Claim } from '../queue/queue.ts'
import { countEnded, moveCounts } from './counts.ts'
import { type FaxDoors, faxWork, pagesPath } from './doors.ts'
import { judge, type Move, statusOf, type Verdict } from './move.ts'
import { type Plan, planMove } from './plan-move.ts'
import { noteInTimeline } from './timeline.ts'

/** The job as it stands now, and whether the move was what brought it there. */
export interface Advanced {
  job: FaxJobRow
  verdict: Verdict
}

interface Standing {
  job: FaxJobRow
  attempt: FaxAttemptRow | undefined
}

async function readStanding(doors: FaxDoors, tx: Tx, jobId: string, move: Move): Promise<Standing | undefined> {
  const job = await tx
    .selectFrom('fax_jobs')
    .selectAll()
    .where('id', '=', jobId)
    .$if(doors.database.engine === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  const attemptId = 'attemptId' in move ? move.attemptId : undefined
  if (!job || attemptId === undefined) return job && { job, attempt: undefined }
  const attempts = tx.selectFrom('fax_attempts').selectAll().where('id', '=', attemptId).where('job_id', '=', jobId)
  return { job, attempt: await attempts.executeTakeFirst() }
}

/** A repeat may still tell the provider's id, when its callback was faster than its answer, or a newer word. */
async function learnFromRepeat(tx: Tx, { job, attempt }: Standing, move: Move): Promise<void> {
  if (!attempt || move.to !== 'accepted') return
  const provider = attempt.provider_id === null ? { provider_id: move.providerId } : {}
  const word =
    move.word && attempt.state === 'accepted' && move.word !== attempt.last_word ? { last_word: move.word } : {}
  const news = { ...provider, ...word }
  if (Object.keys(news).length === 0) return
  await tx.updateTable('fax_attempts').set(news).where('id', '=', attempt.id).execute()
  if (attempt.provider_id !== null || job.attempt_id !== attempt.id) return
  await tx.updateTable('fax_jobs').set({ provider_id: move.providerId }).where('id', '=', job.id).execute()
}

/** What contradicts the record is written down once and changes nothing. */
async function noteConflict(doors: FaxDoors, tx: Tx, { job }: Standing, move: Move): Promise<void> {
  if (move.to !== 'delivered' && move.to !== 'failed') return
  if (!('attemptId' in move)) return
  const told = move.to === 'delivered' ? 'that the fax was delivered' : `a failure: ${move.sentence}`
  const sentence = `The provider reported ${told} That came after the attempt had ended otherwise, so nothing was changed.`
  const isNew = await noteInTimeline(tx, job.id, { at: doors.now(), event: 'conflict', sentence }, 'once')
  if (isNew) await doors.events.jobConflict({ job_id: job.id, backend: job.backend, error: sentence }, tx)
}

async function writeAttempt(tx: Tx, job: FaxJobRow, move: Move, plan: Plan, at: string): Promise<void> {
  if (move.to === 'submitting') {
    await tx
      .insertInto('fax_attempts')
      .values({
        id: move.attemptId,
        job_id: job.id,
        number: job.attempt_count + 1,
        provider: job.backend,
        provider_id: null,
        state: 'submitting',
        started_at: at,
        accepted_at: null,
        ended_at: null,
        kind: null,
        sentence: null,
        pages_confirmed: null,
        last_word: null,
      })
      .execute()
  }
  if (plan.attempt && 'attemptId' in move && move.attemptId !== undefined) {
    await tx.updateTable('fax_attempts').set(plan.attempt).where('id', '=', move.attemptId).execute()
  }
}

/** The audit event of a move. */
async function audit(doors: FaxDoors, tx: Tx, job: FaxJobRow, move: Move, plan: Plan): Promise<void> {
  const by = 'by' in move && move.by !== undefined ? { key_id: move.by } : {}
  const facts = { job_id: job.id, backend: job.backend, status: job.status, provider: job.backend, ...by }
  const { event, sentence } = plan.entry
  // Too small for the trail, but a person who looks sees the status change.
  if (move.to === 'preparing') return doors.database.signals.tell(tx, 'jobs')
  if (move.to === 'submitting') {
    await doors.events.jobDispatch({ ...facts, method: job.backend, attempt: job.attempt_count }, tx)
  } else if (event === 'cancelled') await doors.events.jobCancelled(facts, tx)
  else if (move.to === 'resolved') await doors.events.jobResolved({ ...facts, outcome: move.outcome }, tx)
  else if (plan.phase === 'failed')
    await doors.events.jobFailed({ ...facts, error: sentence, kind: job.error_kind }, tx)
  else {
    const kind = event === 'retry_scheduled' ? { kind: job.error_kind } : {}
    await doors.events.jobUpdated({ ...facts, state: event, pages_confirmed: job.pages_confirmed, ...kind }, tx)
  }
}

async function apply(doors: FaxDoors, tx: Tx, standing: Standing, move: Move): Promise<FaxJobRow> {
  const before = standing.job
  const now = doors.now()
  const at = now.toISOString()
  const nameOf = (id: string) => doors.providers.find(id)?.name ?? id
  const plan = planMove(before, move, {
    now,
    settings: doors.settings(),
    providerName: nameOf(before.backend),
    otherName: nameOf(move.to === 'rerouted' ? move.backend : before.backend),
    sameBefore: move.to === 'failed' ? await countSame(tx, before.id, move.kind) : 0,
  })
  const change = { ...plan.job, phase: plan.phase, status: statusOf[plan.phase], updated_at: at }
  const job: FaxJobRow = { ...before, ...change }
  await tx.updateTable('fax_jobs').set(change).where('id', '=', job.id).execute()
  await writeAttempt(tx, before, move, plan, at)
  await noteInTimeline(tx, job.id, { at: now, ...plan.entry })
  moveCounts(tx, before, job)
  if (plan.phase === 'delivered' || plan.phase === 'failed') await end(doors, tx, job, plan.phase, at)
  if (plan.queue !== undefined) await doors.queue.settle(tx, faxWork, job.id, plan.queue)
  await audit(doors, tx, job, move, plan)
  return job
}

async function end(doors: FaxDoors, tx: Tx, job: FaxJobRow, outcome: 'delivered' | 'failed', at: string) {
  if (job.error_kind !== 'cancelled') countEnded(tx, outcome, at)
  await tx.deleteFrom('document_tokens').where('job_id', '=', job.id).execute()
  // What stays behind in a crash, the sweep removes.
  afterCommit(tx, () => void rm(pagesPath(doors, job.id), { force: true }).catch(() => undefined))
}

async function countSame(tx: Tx, jobId: string, kind: string): Promise<number> {
  const { n } = await tx
    .selectFrom('fax_attempts')
    .where('job_id', '=', jobId)
    .where('state', '=', 'ended')
    .where('kind', '=', kind)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/**
 * Moves a fax: the only door through which a job's status changes. A repeat changes nothing; a move that would go
 * back, or that speaks of an attempt that is over, is refused. One transaction holds the job, its attempt, its
 * timeline, the counts, the queue and the audit event.
 * @param claim given by work that is about to act: a lease that has passed on is refused
 * @returns undefined when there is no such job
 * @throws {LeaseLost}
 */
export async function advance(
  doors: FaxDoors,
  jobId: string,
  move: Move,
  claim?: Claim,
): Promise<Advanced | undefined> {
  return transactTogether(doors.database, async (tx) => {
    const standing = await readStanding(doors, tx, jobId, move)
    if (!standing) return undefined
    if (claim) await doors.queue.assertHeld(tx, claim)
    const verdict = judge(standing.job, standing.attempt, move)
    if (verdict === 'applies') return { job: await apply(doors, tx, standing, move), verdict }
    if (verdict === 'repeat') await learnFromRepeat(tx, standing, move)
    else await noteConflict(doors, tx, standing, move)
    return { job: standing.job, verdict }
  })
}
