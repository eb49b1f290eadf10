import { createCommitGroup, type CommitGroup, type Outcome } from '../db/commit-group.ts'
import type { Tx } from '../db/database.ts'
import { rememberNumber } from '../calls/number-memory.ts'
import { newsOfCall } from '../calls/stored-call.ts'
import type { FaxAttemptRow, FaxJobRow } from '../db/tables.ts'
import { type Claim, LeaseLost } from '../queue/queue.ts'
import { isTestLine } from '../providers/test-line.ts'
import type { FaxDoors } from './doors.ts'
import { Ledger } from './ledger.ts'
import { judge, type Move, statusOf, type Verdict } from './move.ts'
import { concernsArrival, planArrival } from './plan-arrival.ts'
import { type Plan, type PlanFacts, planMove } from './plan-move.ts'
import { abilitiesOf } from './read-job.ts'

/** The job as it stands now, and whether the move was what brought it there. */
export interface Advanced {
  job: FaxJobRow
  verdict: Verdict
}

/** A move that waits for its transaction. */
interface Order {
  jobId: string
  move: Move
  claim: Claim | undefined
}

/** What a move is judged by and changes. */
interface Standing {
  doors: FaxDoors
  tx: Tx
  ledger: Ledger
  job: FaxJobRow
  attempt: FaxAttemptRow | undefined
  now: Date
}

/** A repeat may still tell the provider's id, when its callback was faster than its answer, a newer word, or more of the call. */
function learnFromRepeat({ ledger, job, attempt }: Standing, move: Move): void {
  const more = attempt && 'call' in move ? newsOfCall(attempt, move.call) : {}
  if (attempt && more.call_record !== undefined) ledger.changeAttempt(attempt, more)
  if (!attempt || move.to !== 'accepted') return
  const isFirst = attempt.provider_id === null
  const provider = isFirst ? { provider_id: move.providerId } : {}
  const word =
    move.word && attempt.state === 'accepted' && move.word !== attempt.last_word ? { last_word: move.word } : {}
  const news = { ...provider, ...word }
  if (Object.keys(news).length === 0) return
  ledger.changeAttempt(attempt, news)
  if (isFirst && job.attempt_id === attempt.id && job.provider_id === null)
    ledger.changeJob(job, { provider_id: move.providerId })
}

/** What contradicts the record is written down once and changes nothing. */
async function noteConflict({ doors, tx, ledger, job, now }: Standing, move: Move): Promise<void> {
  if (move.to !== 'failed' || move.attemptId === undefined) return
  const sentence = `The provider reported a failure: ${move.sentence} That came after the attempt had ended otherwise, so nothing was changed.`
  if (await ledger.isNoted(job.id, sentence)) return
  ledger.note(job.id, { at: now, event: 'conflict', sentence })
  await doors.events.jobConflict({ job_id: job.id, backend: job.backend, error: sentence }, tx)
}

function changeAttempt({ ledger, job, attempt }: Standing, move: Move, plan: Plan, at: string): void {
  if (move.to === 'submitting') {
    ledger.beginAttempt({
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
      account: move.account ?? null,
      begun_after: move.begunAfter?.toISOString() ?? null,
      over_by: null,
      again: null,
      call_record: null,
      call_options: move.choice ? JSON.stringify(move.choice) : null,
    })
    if (move.link) ledger.addLink(move.link)
  }
  if (plan.attempt && attempt) ledger.changeAttempt(attempt, plan.attempt)
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
  else if (move.to === 'released') await doors.events.jobReleased(facts, tx)
  else if (move.to === 'resolved') await doors.events.jobResolved({ ...facts, outcome: move.outcome }, tx)
  else if (statusOf[plan.phase] === 'FAILED')
    await doors.events.jobFailed({ ...facts, error: sentence, kind: job.error_kind }, tx)
  else {
    const kind = event === 'retry_scheduled' ? { kind: job.error_kind } : {}
    await doors.events.jobUpdated({ ...facts, state: event, pages_confirmed: job.pages_confirmed, ...kind }, tx)
  }
}

async function apply(standing: Standing, move: Move): Promise<FaxJobRow> {
  const { doors, tx, ledger, job: before, now } = standing
  const at = now.toISOString()
  const attempts = ledger.attemptsOf(before.id)
  const facts: PlanFacts = {
    now,
    settings: doors.settings(),
    nameOf: (id) => doors.providers.find(id)?.name ?? id,
    canCancel: (id) => abilitiesOf(doors, id).supportsCancel,
    isTest: isTestLine(doors.providers, before.backend),
    attempts,
  }
  const plan = concernsArrival(before, move, attempts)
    ? planArrival(before, move, facts)
    : planMove(before, move, facts)
  changeAttempt(standing, move, plan, at)
  if (move.to === 'delivered' && standing.attempt) await rememberNumber(tx, before, standing.attempt, move.call, now)
  const job = ledger.changeJob(before, {
    ...plan.job,
    phase: plan.phase,
    status: statusOf[plan.phase],
    updated_at: at,
  })
  ledger.note(job.id, { at: now, ...plan.entry })
  if (plan.queue !== undefined) ledger.settle(job.id, plan.queue)
  await audit(doors, tx, job, move, plan)
  return job
}

async function moveOne(standing: Standing, { move, claim }: Pick<Order, 'move' | 'claim'>): Promise<Outcome<Advanced>> {
  const { job, attempt, ledger } = standing
  if (claim && !ledger.isHeld(claim)) return new LeaseLost(claim)
  const verdict = judge(job, attempt, move)
  if (verdict === 'applies') return { job: await apply(standing, move), verdict }
  if (verdict === 'repeat') learnFromRepeat(standing, move)
  else await noteConflict(standing, move)
  return { job: { ...job }, verdict }
}

async function moveAll(doors: FaxDoors, tx: Tx, orders: readonly Order[]): Promise<Outcome<Advanced | null>[]> {
  const ledger = await Ledger.open(doors, tx, orders)
  const now = doors.now()
  const outcomes: Outcome<Advanced | null>[] = []
  for (const order of orders) {
    const { jobId, move } = order
    const job = ledger.job(jobId)
    const attempt = 'attemptId' in move && move.attemptId ? ledger.attempt(move.attemptId, jobId) : undefined
    outcomes.push(job ? await moveOne({ doors, tx, ledger, job, attempt, now }, order) : null)
  }
  await ledger.write()
  return outcomes
}

/** Moves at once: few enough that others are answered in between. */
const atOnce = 32
const groups = new WeakMap<FaxDoors, CommitGroup<Order, Advanced | null>>()

function groupOf(doors: FaxDoors): CommitGroup<Order, Advanced | null> {
  const present = groups.get(doors)
  if (present) return present
  const group = createCommitGroup<Order, Advanced | null>(doors.database, (tx, orders) => moveAll(doors, tx, orders), {
    most: atOnce,
    repeatable: true,
  })
  groups.set(doors, group)
  return group
}

/**
 * Moves a fax: the only door through which a job's status changes. A repeat changes nothing; a move that would go
 * back, or that speaks of an attempt that is over, is refused. One transaction holds the job, its attempt, its
 * timeline, the counts, the queue and the audit event; moves that arrive together share it.
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
  return (await groupOf(doors).add({ jobId, move, claim })) ?? undefined
}
