import { type CallRecord, confirmsTooFew, type FailureKind } from '@faxdeck/provider-kit'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { type Later, parked } from '../../base/queue/queue.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { beforeAnAttempt, type FailedMove, type Move, type Phase, statusOf } from './move.ts'
import { sentencesOf, storedNotes } from '../../paper/pages/page-notes.ts'
import { firstPollMs } from '../facts/pauses.ts'
import { choiceSentence } from '../calls/ladder.ts'
import { storedCall } from '../calls/stored-call.ts'
import { nextTry } from './retry.ts'

/** Everything that changes when a move applies. */
export interface Plan {
  phase: Phase
  job: Partial<FaxJobRow>
  attempt?: Partial<FaxAttemptRow>
  entry: { event: string; sentence: string; until?: Date }
  /** When the work goes on; null when there is none left; absent when it stays as it is. */
  queue?: Later | null
}

export interface PlanFacts {
  now: Date
  settings: SettingsInForce
  /** What people call a provider. */
  nameOf: (provider: string) => string
  /** Whether a provider can be asked to cancel what it has taken. */
  canCancel: (provider: string) => boolean
  /** Whether the fax is only a test: with the test line, or an account that sends nothing. */
  isTest: boolean
  /** All of the fax, in order. */
  attempts: readonly FaxAttemptRow[]
}

export const pagesOf = (pages: number) => (pages === 1 ? '1 page' : `${pages} pages`)
const atOnce: Later = { hold: false }

interface Ending {
  /** Null when it was delivered. */
  kind: FailureKind | null
  sentence: string | null
  pagesConfirmed?: number | null
  providerId?: string | undefined
  word?: string
  call?: CallRecord | undefined
}

/** An attempt that is over. */
export function endedWith({ kind, sentence, pagesConfirmed, providerId, word, call }: Ending, at: string) {
  return {
    state: 'ended',
    ended_at: at,
    kind,
    sentence,
    pages_confirmed: pagesConfirmed ?? null,
    ...(word ? { last_word: word } : {}),
    ...storedCall(call),
    ...(providerId ? { provider_id: providerId } : {}),
  } satisfies Partial<FaxAttemptRow>
}

function planFailure(job: FaxJobRow, move: FailedMove, facts: PlanFacts): Plan {
  const { now, settings } = facts
  const at = now.toISOString()
  const { kind, sentence, again } = move
  const ended = { ...endedWith(move, at), ...(again ? { again } : {}) }
  const attempt = move.attemptId === undefined ? {} : { attempt: ended }
  const isSame = (each: FaxAttemptRow) => (again ? each.again === again : each.kind === kind)
  const times = 1 + facts.attempts.filter((each) => each.state === 'ended' && isSame(each)).length
  const { retryAfterSeconds, ofEveryFax, byCarrier, putOff } = move
  const submittedAt = new Date(job.created_at)
  const failure = { kind, times, submittedAt, retryAfterSeconds, again, ofEveryFax, byCarrier, putOff }
  const next = nextTry(failure, settings, now)
  const outcome = {
    error: sentence,
    error_kind: kind,
    ...(move.providerId ? { provider_id: move.providerId } : {}),
    ...(move.notes ? { page_notes: storedNotes(move.notes) } : {}),
  }
  if (!next) {
    const pages = move.pagesConfirmed ?? null
    const event = kind === 'cancelled' ? 'cancelled' : 'failed'
    return {
      phase: kind === 'partial' ? 'partial' : 'failed',
      job: { ...outcome, pages_confirmed: pages, next_try_at: null, finished_at: at },
      ...attempt,
      entry: { event, sentence },
      queue: null,
    }
  }
  const number = job.attempt_count + 1
  const counted = next.left === null ? `attempt ${number}` : `attempt ${number} of ${job.attempt_count + next.left}`
  return {
    phase: 'waiting_retry',
    job: { ...outcome, next_try_at: next.at.toISOString() },
    ...attempt,
    entry: { event: 'retry_scheduled', sentence: `${sentence} Retrying, ${counted}.`, until: next.at },
    queue: { dueAt: next.at, hold: false },
  }
}

function deliveredSentence(pages: number | null, isTest: boolean, name: string): string {
  const confirmed = pages === null ? '' : `, ${pagesOf(pages)} confirmed`
  return isTest ? `Test only: no fax was sent. ${name} ended it as delivered${confirmed}.` : `Delivered${confirmed}.`
}

/** Why a delivery needs a look: fewer pages are confirmed than were sent. */
export const tooFewPages = (confirmed: number | null, { pages }: FaxJobRow): string | null =>
  confirmsTooFew(confirmed, pages)
    ? `The provider reports a delivery but confirmed only ${confirmed} of ${pagesOf(pages)}. Ask the recipient which pages arrived.`
    : null

function planDelivery(
  job: FaxJobRow,
  move: Extract<Move, { to: 'delivered' }>,
  { now, isTest }: PlanFacts,
  providerName: string,
): Plan {
  const at = now.toISOString()
  const pages = move.pagesConfirmed
  const provider = move.providerId ? { provider_id: move.providerId } : {}
  const tooFew = tooFewPages(pages, job)
  return {
    phase: tooFew === null ? 'delivered' : 'incomplete',
    job: { ...provider, pages_confirmed: pages, error: tooFew, error_kind: null, next_try_at: null, finished_at: at },
    attempt: endedWith({ ...move, kind: null, sentence: null }, at),
    entry: { event: 'delivered', sentence: tooFew ?? deliveredSentence(pages, isTest, providerName) },
    queue: null,
  }
}

/** The attempt is over without a call having been made; the fax is tried again now. */
function planAnother(now: Date, kind: 'unreachable' | 'uncertain', event: string, sentence: string): Plan {
  return {
    phase: 'waiting_retry',
    job: { error: null, error_kind: null, next_try_at: now.toISOString() },
    attempt: endedWith({ kind, sentence }, now.toISOString()),
    entry: { event, sentence },
    queue: atOnce,
  }
}

/** How the call ended stays as it is recorded. */
function planSeen(outcome: 'delivered' | 'failed'): Plan {
  if (outcome === 'failed') {
    const sentence = 'Marked as seen: only part of the fax arrived.'
    return { phase: 'failed', job: {}, entry: { event: 'resolved', sentence } }
  }
  const sentence = 'A person marked the fax as delivered.'
  return { phase: 'delivered', job: { error: null, error_kind: null }, entry: { event: 'resolved', sentence } }
}

function planResolution(job: FaxJobRow, outcome: 'delivered' | 'failed' | 'send_again', now: Date): Plan {
  if (outcome === 'send_again') {
    const sentence = 'It was unknown whether it arrived. Sent again by a person.'
    const plan = planAnother(now, 'uncertain', 'resolved', sentence)
    return { ...plan, job: { ...plan.job, hold: null } }
  }
  if (job.phase === 'partial') return planSeen(outcome)
  const at = now.toISOString()
  const sentence = `A person decided that the fax ${outcome === 'delivered' ? 'was delivered' : 'was not delivered'}.`
  const delivered = outcome === 'delivered'
  return {
    phase: delivered ? 'delivered' : 'failed',
    job: { error: delivered ? null : sentence, error_kind: delivered ? null : 'uncertain', finished_at: at },
    attempt: endedWith({ kind: delivered ? null : 'uncertain', sentence }, at),
    entry: { event: 'resolved', sentence },
    queue: null,
  }
}

function planAcceptance(
  { providerId, word }: { providerId: string; word?: string | undefined },
  now: Date,
  providerName: string,
): Plan {
  const outcome = { provider_id: providerId, ...(word ? { last_word: word } : {}) }
  return {
    phase: 'accepted',
    job: { provider_id: providerId, error: null, error_kind: null },
    attempt: { ...outcome, state: 'accepted', accepted_at: now.toISOString(), kind: null, sentence: null },
    entry: { event: 'accepted', sentence: `${providerName} accepted the fax.` },
    queue: { dueAt: new Date(now.getTime() + firstPollMs), hold: true },
  }
}

function planReroute(job: FaxJobRow, { backend, refused }: Extract<Move, { to: 'rerouted' }>, facts: PlanFacts): Plan {
  const { nameOf } = facts
  const why = refused ? 'rejected our credentials' : 'cannot be reached'
  const sentence = `${nameOf(job.backend)} ${why} and does not have this fax. ${nameOf(backend)} sends it.`
  return {
    phase: job.phase,
    job: { backend },
    entry: { event: 'rerouted', sentence },
    queue: { ...atOnce, lane: backend },
  }
}

function planRelease(job: FaxJobRow): Plan {
  return {
    phase: job.phase,
    job: { hold: null },
    entry: { event: 'released', sentence: 'A person released the fax. It will be sent.' },
    queue: atOnce,
  }
}

const hasEnded = ({ phase }: Plan) => ['SUCCESS', 'FAILED'].includes(statusOf[phase])

/** A held fax is followed to the end of its attempt, and then waits for a person. */
function stayHeld(plan: Plan): Plan {
  if (hasEnded(plan)) return { ...plan, job: { ...plan.job, hold: null } }
  if (!beforeAnAttempt.includes(plan.phase)) return plan
  const { error = null } = plan.job
  const sentence = `${error ?? 'That attempt was not sent.'} The fax is held. Nothing more is sent until you release it.`
  return {
    ...plan,
    job: { ...plan.job, next_try_at: null },
    entry: { event: 'held', sentence },
    queue: { dueAt: parked, hold: false },
  }
}

/** What a move that applies changes. */
export function planMove(job: FaxJobRow, move: Move, facts: PlanFacts): Plan {
  const plan = planAny(job, move, facts)
  if (job.hold === null || plan.job.hold === null) return plan
  return stayHeld(plan)
}

type Submission = Pick<Extract<Move, { to: 'submitting' }>, 'notes' | 'choice'>

function handingSentence(provider: string, attempt: number, { notes = [], choice }: Submission): string {
  const sentences = [choiceSentence(choice), ...sentencesOf(notes)].filter(Boolean)
  return [`Sending to ${provider} (attempt ${attempt}).`, ...sentences].join(' ')
}

function planAny(job: FaxJobRow, move: Move, facts: PlanFacts): Plan {
  const { now } = facts
  const providerName = facts.nameOf(job.backend)
  switch (move.to) {
    case 'preparing':
      return { phase: 'preparing', job: {}, entry: { event: 'preparing', sentence: 'Preparing pages.' } }
    case 'submitting':
      return {
        phase: 'submitting',
        job: {
          attempt_id: move.attemptId,
          attempt_count: job.attempt_count + 1,
          provider_id: null,
          header_line: move.header ? JSON.stringify(move.header) : null,
          page_notes: storedNotes(move.notes),
          error: null,
          error_kind: null,
          next_try_at: null,
          is_test: Number(move.isTest ?? false),
        },
        entry: {
          event: 'submitting',
          sentence: handingSentence(providerName, job.attempt_count + 1, move),
        },
      }
    case 'accepted':
      return planAcceptance(move, now, providerName)
    case 'delivered':
      return planDelivery(job, move, facts, providerName)
    case 'failed':
      return planFailure(job, move, facts)
    case 'uncertain':
      return {
        phase: 'uncertain',
        job: { error: move.sentence, error_kind: 'uncertain' },
        attempt: { state: 'uncertain', kind: 'uncertain', sentence: move.sentence, ...storedCall(move.call) },
        entry: { event: 'uncertain', sentence: move.sentence },
        queue: { dueAt: move.lookAgain, hold: false },
      }
    case 'rerouted':
      return planReroute(job, move, facts)
    case 'released':
      return planRelease(job)
    case 'not_taken':
      return planAnother(now, 'unreachable', 'retry_scheduled', `${providerName} never received the fax. Retrying.`)
    case 'resolved':
      return planResolution(job, move.outcome, now)
  }
}
