import type { HeaderLine } from '@faxdeck/documents'
import type { CallRecord, FailureKind, StatusUpdate } from '@faxdeck/provider-kit'
import type { DocumentTokenRow, FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import type { FoundNote } from '../../paper/pages/page-notes.ts'
import type { CallChoice } from '../calls/ladder.ts'

export type Phase = FaxJobRow['phase']

/** What happened to a fax. Moves that are about an attempt name it. */
export type Move =
  | { to: 'preparing' }
  | {
      to: 'submitting'
      attemptId: string
      header?: HeaderLine | undefined
      /** What the check of its pages found. */
      notes?: readonly FoundNote[] | undefined
      /** How its call is asked for, where that is not as the settings have it. */
      choice?: CallChoice | undefined
      account?: string | null
      /** The account sends nothing, by its settings. */
      isTest?: boolean
      /** The number it is to come from, where it is not that of the line. */
      from?: string | undefined
      /** By the provider's own clock. */
      begunAfter?: Date | undefined
      /** By which alone the provider gets the document. */
      link?: DocumentTokenRow | undefined
    }
  | { to: 'accepted'; attemptId: string; providerId: string; word?: string | undefined; isTest?: boolean | undefined }
  | {
      to: 'delivered'
      attemptId: string
      providerId?: string | undefined
      pagesConfirmed: number | null
      word?: string
      call?: CallRecord | undefined
      isTest?: boolean | undefined
    }
  | FailedMove
  | UncertainMove
  /** The provider certainly never received the attempt. */
  | { to: 'not_taken'; attemptId: string }
  /** Another provider sends it. Nobody has it now: it waits, or every attempt has ended. `refused`: our credentials were. */
  | { to: 'rerouted'; backend: string; refused?: boolean }
  /** A person lets a held fax be sent. */
  | { to: 'released'; by: string }
  /** A person decides about an uncertain fax, or has seen that of another one only a part arrived. */
  | { to: 'resolved'; attemptId: string; outcome: 'delivered' | 'failed' | 'send_again'; by: string }

export interface UncertainMove {
  to: 'uncertain'
  attemptId: string
  sentence: string
  lookAgain: Date
  call?: CallRecord | undefined
  isTest?: boolean | undefined
  /** The provider's answer was about another fax: that is noted, also when the attempt is over. */
  isContradicted?: boolean
}

export interface FailedMove {
  to: 'failed'
  /** Absent when the fax failed before there was an attempt, or between two. */
  attemptId?: string
  providerId?: string | undefined
  kind: FailureKind
  sentence: string
  /** What the check of its pages found, for which it was not sent. */
  notes?: readonly FoundNote[] | undefined
  pagesConfirmed?: number | null
  retryAfterSeconds?: number | undefined
  again?: StatusUpdate['again'] | undefined
  /** The provider would have refused any other fax too: this one waits until it takes faxes again. */
  ofEveryFax?: boolean
  /** The carrier behind the line refused its account: the fax waits for other settings, and is tried again less and less. */
  byCarrier?: boolean
  /** The line put it off for a reason of its own: nothing failed, and no time to give up counts. */
  putOff?: boolean
  word?: string
  call?: CallRecord | undefined
  /** Whether the provider says that it was only a test. */
  isTest?: boolean | undefined
  /** The key of the person who wanted it. */
  by?: string
}

/** The status on the wire. It never goes back, but for one case: a delivery that is reported late ends a failure. */
export const statusOf: Record<Phase, FaxJobRow['status']> = {
  queued: 'queued',
  preparing: 'in_progress',
  submitting: 'in_progress',
  accepted: 'in_progress',
  waiting_retry: 'in_progress',
  uncertain: 'in_progress',
  delivered: 'SUCCESS',
  duplicate: 'SUCCESS',
  incomplete: 'SUCCESS',
  partial: 'FAILED',
  failed: 'FAILED',
}

/** Phases in which a person has to look at the fax. */
export const attentionPhases = ['uncertain', 'duplicate', 'partial', 'incomplete'] as const satisfies readonly Phase[]

export const needsAttention = ({ phase }: { phase: Phase }): boolean =>
  (attentionPhases as readonly Phase[]).includes(phase)

/** Whether an attempt at the fax is known to have been delivered. Nothing more is sent then. */
export const hasArrived = ({ phase }: { phase: Phase }): boolean => statusOf[phase] === 'SUCCESS'

/** Where nobody has the fax: it waits, or every attempt has ended. */
export const beforeAnAttempt: readonly Phase[] = ['queued', 'preparing', 'waiting_retry']

const fromPhase = {
  preparing: ['queued', 'waiting_retry'],
  submitting: beforeAnAttempt,
  rerouted: beforeAnAttempt,
  failed: beforeAnAttempt,
  released: beforeAnAttempt,
} as const satisfies Partial<Record<Move['to'], readonly Phase[]>>

type AttemptState = FaxAttemptRow['state']

/**
 * What is said about an attempt: the states it may be in. An attempt is not reopened, but a provider that reports a
 * delivery after a failure is believed, because the recipient then has the fax. See also `endsTheWait`.
 */
const fromState = {
  accepted: ['submitting', 'uncertain'],
  delivered: ['submitting', 'accepted', 'uncertain', 'ended'],
  failed: ['submitting', 'accepted', 'uncertain'],
  uncertain: ['submitting', 'accepted', 'uncertain'],
  not_taken: ['submitting', 'uncertain'],
} as const satisfies Partial<Record<Move['to'], readonly AttemptState[]>>

/** `repeat`: we know already. `refused`: it would go back, or contradicts how the attempt ended. */
export type Verdict = 'applies' | 'repeat' | 'refused'

/** A call that was given up did fail, whatever else is said of it: that contradicts nothing. */
const isSameFailure = (known: string | null, told: FailureKind) =>
  known === told || (known !== null && (known === 'cancelled' || told === 'cancelled'))

/** Whether a provider reports again what is recorded of an attempt, or less than that. */
function isRepeat(move: Move, attempt: FaxAttemptRow | undefined, job: FaxJobRow): boolean {
  if (move.to === 'preparing') return job.phase === 'preparing'
  if (move.to === 'released') return job.hold === null
  if (move.to === 'rerouted') return job.backend === move.backend
  if (!attempt || !('attemptId' in move)) return false
  const ended = attempt.state === 'ended'
  switch (move.to) {
    case 'submitting':
      // Only the commit of this very move can have begun the attempt.
      return attempt.state === 'submitting' && job.attempt_id === move.attemptId
    case 'accepted':
      return attempt.state === 'accepted' || ended
    case 'delivered':
      return ended && attempt.kind === null
    case 'failed':
      return ended && isSameFailure(attempt.kind, move.kind)
    case 'uncertain':
      return (ended && !move.isContradicted) || (attempt.state === 'uncertain' && attempt.sentence === move.sentence)
    default:
      return false
  }
}

/**
 * A provider that reports pages after a failure without any is believed while the fax waits for its next attempt: what
 * was printed in part must not be printed again by itself.
 */
const endsTheWait = (job: FaxJobRow, { id, state, kind }: FaxAttemptRow, { kind: reported }: FailedMove) =>
  state === 'ended' &&
  kind !== null &&
  reported === 'partial' &&
  job.attempt_id === id &&
  beforeAnAttempt.includes(job.phase)

/** A person decides about an attempt whose outcome is unknown, or has seen that a fax may have arrived twice or in part. */
function mayResolve(job: FaxJobRow, { state }: FaxAttemptRow, outcome: 'delivered' | 'failed' | 'send_again'): boolean {
  if (job.phase === 'partial') return outcome !== 'send_again'
  if (job.phase === 'incomplete') return outcome === 'delivered'
  if (job.phase === 'duplicate') return outcome === 'delivered' && state !== 'submitting'
  return job.phase === 'uncertain' && state === 'uncertain'
}

function isAllowed(job: FaxJobRow, attempt: FaxAttemptRow | undefined, move: Move): boolean {
  switch (move.to) {
    case 'preparing':
    case 'submitting':
    case 'rerouted':
    case 'released':
      return (fromPhase[move.to] as readonly Phase[]).includes(job.phase)
    case 'resolved':
      return attempt !== undefined && mayResolve(job, attempt, move.outcome)
    case 'failed':
      if (move.attemptId === undefined) return fromPhase.failed.includes(job.phase)
      if (attempt && endsTheWait(job, attempt, move)) return true
  }
  return attempt !== undefined && (fromState[move.to] as readonly AttemptState[]).includes(attempt.state)
}

/** What would bring a fax nearer to being sent. A held one stays where it is. */
const towardAnAttempt: readonly Move['to'][] = ['preparing', 'submitting', 'rerouted']

/**
 * Judges a move by where the fax and the attempt it speaks of stand. Only the last attempt of a fax can be open, since
 * the next one begins when it has ended: what is said of an attempt is judged by that attempt's own state.
 */
export function judge(job: FaxJobRow, attempt: FaxAttemptRow | undefined, move: Move): Verdict {
  if (job.hold !== null && towardAnAttempt.includes(move.to)) return 'refused'
  if (isRepeat(move, attempt, job)) return 'repeat'
  return isAllowed(job, attempt, move) ? 'applies' : 'refused'
}
