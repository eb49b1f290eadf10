import type { FaxAttemptRow, FaxJobRow } from '../db/tables.ts'
import type { Later } from '../queue/queue.ts'
import type { SettingsInForce } from '../settings/settings.ts'
import type { FailedMove, Move, Phase } from './move.ts'
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
  /** For people. */
  providerName: string
  /** The one that a rerouted fax goes to. */
  otherName: string
  /** How many attempts ended with the kind of this failure before. */
  sameBefore: number
}

/** A callback usually comes first; this long after acceptance we begin to ask. */
export const firstPollMs = 15_000

const pagesOf = (pages: number) => (pages === 1 ? '1 page' : `${pages} pages`)
const atOnce = (now: Date): Later => ({ dueAt: now, hold: false })

function planFailure(job: FaxJobRow, move: FailedMove, facts: PlanFacts): Plan {
  const { now, settings } = facts
  const at = now.toISOString()
  const { kind, sentence, retryAfterSeconds } = move
  const ended: Partial<FaxAttemptRow> = {
    state: 'ended',
    ended_at: at,
    kind,
    sentence,
    pages_confirmed: move.pagesConfirmed ?? null,
    ...(move.word ? { last_word: move.word } : {}),
    ...(move.providerId ? { provider_id: move.providerId } : {}),
  }
  const attempt = move.attemptId === undefined ? {} : { attempt: ended }
  const times = facts.sameBefore + 1
  const next = nextTry({ kind, times, submittedAt: new Date(job.created_at), retryAfterSeconds }, settings, now)
  const told = { error: sentence, error_kind: kind, ...(move.providerId ? { provider_id: move.providerId } : {}) }
  if (!next) {
    const pages = move.pagesConfirmed ?? null
    const event = kind === 'cancelled' ? 'cancelled' : 'failed'
    return {
      phase: 'failed',
      job: { ...told, pages_confirmed: pages, next_try_at: null, finished_at: at },
      ...attempt,
      entry: { event, sentence },
      queue: null,
    }
  }
  const number = job.attempt_count + 1
  const counted = next.left === null ? `attempt ${number}` : `attempt ${number} of ${job.attempt_count + next.left}`
  return {
    phase: 'waiting_retry',
    job: { ...told, next_try_at: next.at.toISOString() },
    ...attempt,
    entry: { event: 'retry_scheduled', sentence: `${sentence} Trying again, ${counted}.`, until: next.at },
    queue: { dueAt: next.at, hold: false },
  }
}

function planDelivery(move: { pagesConfirmed: number | null; providerId?: string; word?: string }, now: Date): Plan {
  const at = now.toISOString()
  const pages = move.pagesConfirmed
  const provider = move.providerId ? { provider_id: move.providerId } : {}
  return {
    phase: 'delivered',
    job: { ...provider, pages_confirmed: pages, error: null, error_kind: null, next_try_at: null, finished_at: at },
    attempt: {
      ...provider,
      state: 'ended',
      ended_at: at,
      kind: null,
      sentence: null,
      pages_confirmed: pages,
      ...(move.word ? { last_word: move.word } : {}),
    },
    entry: { event: 'delivered', sentence: pages === null ? 'Delivered.' : `Delivered, ${pagesOf(pages)} confirmed.` },
    queue: null,
  }
}

/** The attempt is over without a call having been made; the fax is tried again now. */
function planAnother(now: Date, kind: 'unreachable' | 'uncertain', event: string, sentence: string): Plan {
  return {
    phase: 'waiting_retry',
    job: { error: null, error_kind: null, next_try_at: now.toISOString() },
    attempt: { state: 'ended', ended_at: now.toISOString(), kind, sentence },
    entry: { event, sentence },
    queue: atOnce(now),
  }
}

function planResolution(job: FaxJobRow, outcome: 'delivered' | 'failed' | 'send_again', now: Date): Plan {
  if (outcome === 'send_again') {
    return planAnother(now, 'uncertain', 'resolved', 'Whether it arrived was not known. A person sends it again.')
  }
  const at = now.toISOString()
  const sentence = `A person decided that the fax ${outcome === 'delivered' ? 'was delivered' : 'was not delivered'}.`
  const delivered = outcome === 'delivered'
  return {
    phase: delivered ? 'delivered' : 'failed',
    job: { error: delivered ? null : sentence, error_kind: delivered ? null : 'uncertain', finished_at: at },
    attempt: { state: 'ended', ended_at: at, kind: delivered ? null : 'uncertain', sentence },
    entry: { event: 'resolved', sentence },
    queue: null,
  }
}

function planAcceptance(
  { providerId, word }: { providerId: string; word?: string | undefined },
  facts: PlanFacts,
): Plan {
  const { now, providerName } = facts
  const told = { provider_id: providerId, ...(word ? { last_word: word } : {}) }
  return {
    phase: 'accepted',
    job: { provider_id: providerId, error: null, error_kind: null },
    attempt: { ...told, state: 'accepted', accepted_at: now.toISOString(), kind: null, sentence: null },
    entry: { event: 'accepted', sentence: `${providerName} has taken the fax.` },
    queue: { dueAt: new Date(now.getTime() + firstPollMs), hold: true },
  }
}

function planReroute(job: FaxJobRow, backend: string, { now, providerName, otherName }: PlanFacts): Plan {
  const sentence = `${providerName} cannot be reached and does not have this fax. ${otherName} sends it.`
  return {
    phase: job.phase,
    job: { backend },
    entry: { event: 'rerouted', sentence },
    queue: { ...atOnce(now), lane: backend },
  }
}

/** What a move that applies changes. */
export function planMove(job: FaxJobRow, move: Move, facts: PlanFacts): Plan {
  const { now, providerName } = facts
  switch (move.to) {
    case 'preparing':
      return { phase: 'preparing', job: {}, entry: { event: 'preparing', sentence: 'Drawing the pages to be faxed.' } }
    case 'submitting':
      return {
        phase: 'submitting',
        job: {
          attempt_id: move.attemptId,
          attempt_count: job.attempt_count + 1,
          provider_id: null,
          header_line: move.header ? JSON.stringify(move.header) : null,
          error: null,
          error_kind: null,
          next_try_at: null,
        },
        entry: {
          event: 'submitting',
          sentence: `Handing the fax to ${providerName}, attempt ${job.attempt_count + 1}.`,
        },
      }
    case 'accepted':
      return planAcceptance(move, facts)
    case 'delivered':
      return planDelivery(move, now)
    case 'failed':
      return planFailure(job, move, facts)
    case 'uncertain':
      return {
        phase: 'uncertain',
        job: { error: move.sentence, error_kind: 'uncertain' },
        attempt: { state: 'uncertain', kind: 'uncertain', sentence: move.sentence },
        entry: { event: 'uncertain', sentence: move.sentence },
        queue: { dueAt: move.lookAgain, hold: false },
      }
    case 'rerouted':
      return planReroute(job, move.backend, facts)
    case 'not_taken':
      return planAnother(now, 'unreachable', 'retry_scheduled', `${providerName} never got the fax. Trying again.`)
    case 'resolved':
      return planResolution(job, move.outcome, now)
  }
}
