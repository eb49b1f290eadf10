import { type CommitGroup, createCommitGroup, groupOf, type Outcome } from '../../base/db/commit-group.ts'
import type { Database, Tx } from '../../base/db/database.ts'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { afterCommit } from '../../base/db/transact.ts'
import { type Claim, LeaseLost } from '../../base/queue/queue.ts'
import { isTestFax, ofTest } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { removeDocumentLinks } from '../facts/document-link.ts'
import { removePages } from '../facts/drawn-pages.ts'
import { ofBroadcast } from '../facts/labels.ts'
import { rememberNumber } from '../calls/number-memory.ts'
import { newsOfCall } from '../calls/stored-call.ts'
import { Ledger } from './ledger.ts'
import { hasArrived, judge, type Move, statusOf, type Verdict } from './move.ts'
import { concernsArrival, planArrival } from './plan-arrival.ts'
import { type Plan, type PlanFacts, planMove } from './plan-move.ts'
import { abilitiesOf } from '../facts/find-job.ts'

/** The job as it stands now, and whether the move was what brought it there. */
export interface Advanced {
  job: FaxJobRow
  verdict: Verdict
}

/** Done in the transaction of a move that applies, just before it. The move is not made when it returns an error. */
export type Within = (tx: Tx) => Promise<Error | undefined>

interface MoveRequest {
  context: GatewayContext
  jobId: string
  move: Move
  claim: Claim | undefined
  within: Within | undefined
}

interface Moving {
  context: GatewayContext
  tx: Tx
  ledger: Ledger
  job: FaxJobRow
  attempt: FaxAttemptRow | undefined
  now: Date
  move: Move
}

/** What a provider says of a test stays true of the attempt: nothing makes a delivery of it. */
function learnTest({ ledger, job, attempt, move, now }: Moving): void {
  if (!attempt || move.to === 'submitting' || !('isTest' in move) || move.isTest === undefined) return
  const is_test = move.isTest ? 1 : 0
  if (attempt.is_test === 1 || attempt.is_test === is_test) return
  ledger.changeAttempt(attempt, { is_test })
  if (job.attempt_id !== attempt.id || job.is_test === is_test) return
  ledger.changeJob(job, { is_test })
  if (hasArrived(job)) ledger.note(job.id, { at: now, event: 'test', sentence: 'Test only: no fax was sent.' })
}

/** A repeat may still tell the provider's id, when its callback was faster than its answer, a newer word, or more of the call. */
function learnFromRepeat({ ledger, job, attempt, move }: Moving): void {
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
async function noteConflict({ context, tx, ledger, job, now, move }: Moving): Promise<void> {
  const isDoubt = move.to === 'uncertain' && move.isContradicted === true
  if (!isDoubt && (move.to !== 'failed' || move.attemptId === undefined)) return
  const said = isDoubt ? move.sentence : `The provider reported a failure: ${move.sentence}`
  const sentence = `${said} The attempt had already ended, so nothing was changed.`
  if (await ledger.isNoted(job.id, sentence)) return
  ledger.note(job.id, { at: now, event: 'conflict', sentence })
  await context.events.jobConflict({ job_id: job.id, backend: job.backend, error: sentence }, tx)
}

function changeAttempt({ ledger, job, attempt, move, now }: Moving, plan: Plan): void {
  if (move.to === 'submitting') {
    ledger.beginAttempt({
      id: move.attemptId,
      job_id: job.id,
      number: job.attempt_count + 1,
      provider: job.backend,
      provider_id: null,
      state: 'submitting',
      started_at: now.toISOString(),
      accepted_at: null,
      ended_at: null,
      kind: null,
      sentence: null,
      pages_confirmed: null,
      last_word: null,
      account: move.account ?? null,
      begun_after: move.begunAfter?.toISOString() ?? null,
      from_number: move.from ?? null,
      over_by: null,
      again: null,
      call_record: null,
      call_options: move.choice ? JSON.stringify(move.choice) : null,
      is_test: move.isTest ? 1 : null,
    })
    if (move.link) ledger.addLink(move.link)
  }
  if (plan.attempt && attempt) ledger.changeAttempt(attempt, plan.attempt)
}

async function audit({ context, tx, move }: Moving, job: FaxJobRow, plan: Plan): Promise<void> {
  const by = 'by' in move && move.by !== undefined ? { key_id: move.by } : {}
  const facts = {
    job_id: job.id,
    backend: job.backend,
    status: job.status,
    provider: job.backend,
    ...ofBroadcast(job),
    ...ofTest(isTestFax(context.providers, job)),
    ...by,
  }
  const { event, sentence } = plan.entry
  // Too small for the trail, but a person who looks sees the status change.
  if (move.to === 'preparing') return context.database.signals.notify(tx, 'jobs')
  if (move.to === 'submitting') {
    await context.events.jobDispatch({ ...facts, method: job.backend, attempt: job.attempt_count }, tx)
  } else if (event === 'cancelled') await context.events.jobCanceled(facts, tx)
  else if (move.to === 'released') await context.events.jobReleased(facts, tx)
  else if (move.to === 'resolved') await context.events.jobResolved({ ...facts, outcome: move.outcome }, tx)
  else if (statusOf[plan.phase] === 'FAILED')
    await context.events.jobFailed({ ...facts, error: sentence, kind: job.error_kind }, tx)
  else {
    const kind = event === 'retry_scheduled' ? { kind: job.error_kind } : {}
    await context.events.jobUpdated({ ...facts, state: event, pages_confirmed: job.pages_confirmed, ...kind }, tx)
  }
}

function plan({ context, ledger, job, now, move }: Moving): Plan {
  const { settings, providers } = context
  const attempts = ledger.attemptsOf(job.id)
  const facts: PlanFacts = {
    now,
    settings: settings.current(),
    nameOf: (id) => providers.find(id)?.name ?? id,
    canCancel: (id) => abilitiesOf(context, id).supportsCancel,
    isTest: isTestFax(providers, job),
    attempts,
  }
  return concernsArrival(job, move, attempts) ? planArrival(job, move, facts) : planMove(job, move, facts)
}

/** Writes a plan into the ledger and the audit trail. @returns the job as it stands then */
async function apply(moving: Moving, plan: Plan): Promise<FaxJobRow> {
  const { tx, ledger, attempt, move, now } = moving
  changeAttempt(moving, plan)
  if (move.to === 'delivered' && attempt) await rememberNumber(tx, moving.job, attempt, move.call, now)
  const { phase } = plan
  const change = { ...plan.job, phase, status: statusOf[phase], updated_at: now.toISOString() }
  const job = ledger.changeJob(moving.job, change)
  ledger.note(job.id, { at: now, ...plan.entry })
  if (plan.queue !== undefined) ledger.settle(job.id, plan.queue)
  await audit(moving, job, plan)
  return job
}

async function moveOne(moving: Moving, { claim, within }: MoveRequest): Promise<Outcome<Advanced>> {
  const { job, attempt, ledger, move } = moving
  if (claim && !ledger.isHeld(claim)) return new LeaseLost(claim)
  learnTest(moving)
  const verdict = judge(job, attempt, move)
  if (verdict === 'applies') return (await within?.(moving.tx)) ?? { job: await apply(moving, plan(moving)), verdict }
  if (verdict === 'repeat') learnFromRepeat(moving)
  else await noteConflict(moving)
  return { job: { ...job }, verdict }
}

/** Removes what only a fax under way needs: links to its document, and its drawn pages. */
async function clearEnded(context: GatewayContext, tx: Tx, ledger: Ledger): Promise<void> {
  const ended = ledger.ended()
  if (ended.length === 0) return
  await removeDocumentLinks(
    tx,
    ended.map(({ id }) => id),
  )
  // Pages were drawn for its line, or for one that it was to go through before.
  const isDrawnFor = (id: string) => context.providers.find(id)?.traits.requires_pages ?? true
  const drawn = ended.filter((job) => {
    return [job.backend, ...ledger.attemptsOf(job.id).map(({ provider }) => provider)].some(isDrawnFor)
  })
  afterCommit(tx, () => drawn.forEach(({ id }) => removePages(context, id)))
}

async function moveAll(tx: Tx, requests: readonly MoveRequest[]): Promise<Outcome<Advanced | null>[]> {
  const [first] = requests
  if (!first) return []
  // A process has one context for each database.
  const { context } = first
  const ledger = await Ledger.open(context, tx, requests)
  const now = context.now()
  const outcomes: Outcome<Advanced | null>[] = []
  for (const request of requests) {
    const { jobId, move } = request
    const job = ledger.job(jobId)
    const attempt = 'attemptId' in move && move.attemptId ? ledger.attempt(move.attemptId, jobId) : undefined
    outcomes.push(job ? await moveOne({ context, tx, ledger, job, attempt, now, move }, request) : null)
  }
  await ledger.write()
  await clearEnded(context, tx, ledger)
  return outcomes
}

/** Moves at once: few enough that others are answered in between. */
const atOnce = 32
const groups = new WeakMap<Database, CommitGroup<MoveRequest, Advanced | null>>()

/**
 * Moves a fax: nothing else changes a job's status. A repeat changes nothing; a move that would go
 * back, or that speaks of an attempt that is over, is refused. One transaction holds the job, its attempt, its
 * timeline, the counts, the queue and the audit event; moves that arrive together share it.
 * @param claim given by work that is about to act: a lease that has passed on is refused
 * @param within the error it returns is thrown
 * @returns undefined when there is no such job
 * @throws {LeaseLost}
 */
export async function advance(
  context: GatewayContext,
  jobId: string,
  move: Move,
  claim?: Claim,
  within?: Within,
): Promise<Advanced | undefined> {
  const { database } = context
  const group = groupOf(groups, database, () => createCommitGroup(database, moveAll, { max: atOnce, repeatable: true }))
  return (await group.add({ context, jobId, move, claim, within })) ?? undefined
}
