import type { HeaderLine } from '@faxdeck/documents'
import type { FailureKind } from '@faxdeck/provider-kit'
import type { FaxAttemptRow, FaxJobRow } from '../db/tables.ts'

export type Phase = FaxJobRow['phase']

/** What has become of a fax. An attempt is named by everything that happened in one. */
export type Move =
  | { to: 'preparing' }
  | { to: 'submitting'; attemptId: string; header?: HeaderLine | undefined }
  | { to: 'accepted'; attemptId: string; providerId: string; word?: string | undefined }
  | {
      to: 'delivered'
      attemptId: string
      providerId?: string | undefined
      pagesConfirmed: number | null
      word?: string
    }
  | FailedMove
  | { to: 'uncertain'; attemptId: string; sentence: string; lookAgain: Date }
  /** The provider is certain never to have seen the attempt. */
  | { to: 'not_taken'; attemptId: string }
  /** Another provider sends it. Nobody has it now: it waits, or every attempt has ended. */
  | { to: 'rerouted'; backend: string }
  /** A person decides about an uncertain fax. */
  | { to: 'resolved'; attemptId: string; outcome: 'delivered' | 'failed' | 'send_again'; by: string }

export interface FailedMove {
  to: 'failed'
  /** Absent when the fax failed before there was an attempt, or between two. */
  attemptId?: string
  providerId?: string | undefined
  kind: FailureKind
  sentence: string
  pagesConfirmed?: number | null
  retryAfterSeconds?: number | undefined
  word?: string
  /** The key of the person who wanted it. */
  by?: string
}

/** The status on the wire. It never goes back: between two attempts a fax is in progress. */
export const statusOf: Record<Phase, FaxJobRow['status']> = {
  queued: 'queued',
  preparing: 'in_progress',
  submitting: 'in_progress',
  accepted: 'in_progress',
  waiting_retry: 'in_progress',
  uncertain: 'in_progress',
  delivered: 'SUCCESS',
  failed: 'FAILED',
}

const beforeAnAttempt: readonly Phase[] = ['queued', 'preparing', 'waiting_retry']

/** The phases a fax may come from. Whatever is not here is refused. */
const from: Record<Move['to'], readonly Phase[]> = {
  preparing: ['queued', 'waiting_retry'],
  submitting: ['queued', 'preparing', 'waiting_retry'],
  accepted: ['submitting', 'uncertain'],
  delivered: ['submitting', 'accepted', 'uncertain'],
  failed: ['submitting', 'accepted', 'uncertain'],
  uncertain: ['submitting', 'accepted'],
  not_taken: ['submitting', 'uncertain'],
  rerouted: beforeAnAttempt,
  resolved: ['uncertain'],
}

/** `repeat`: we know already. `refused`: it would go back, or contradicts how the attempt ended. */
export type Verdict = 'applies' | 'repeat' | 'refused'

/** Whether a provider told again what is recorded of an attempt, or less than that. */
function isRepeat(move: Move, attempt: FaxAttemptRow | undefined, job: FaxJobRow): boolean {
  if (move.to === 'preparing') return job.phase === 'preparing'
  if (move.to === 'rerouted') return job.backend === move.backend
  if (!attempt || !('attemptId' in move)) return false
  const ended = attempt.state === 'ended'
  switch (move.to) {
    case 'accepted':
      return attempt.state === 'accepted' || ended
    case 'delivered':
      return ended && attempt.kind === null
    case 'failed':
      return ended && attempt.kind === move.kind
    case 'uncertain':
      return attempt.state === 'uncertain' || ended
    default:
      return false
  }
}

/** Judges a move by where the fax and the attempt it speaks of stand. */
export function judge(job: FaxJobRow, attempt: FaxAttemptRow | undefined, move: Move): Verdict {
  if (isRepeat(move, attempt, job)) return 'repeat'
  const ofAttempt = 'attemptId' in move && move.attemptId !== undefined && move.to !== 'submitting'
  if (ofAttempt && move.attemptId !== job.attempt_id) return 'refused'
  const allowed = move.to === 'failed' && !ofAttempt ? beforeAnAttempt : from[move.to]
  return allowed.includes(job.phase) ? 'applies' : 'refused'
}
