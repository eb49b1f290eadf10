import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { storedCall } from '../calls/stored-call.ts'
import { type FailedMove, hasArrived, type Move } from './move.ts'
import { endedWith, pagesOf, type Plan, type PlanFacts, tooFewPages } from './plan-move.ts'

type AttemptMove = Extract<Move, { attemptId: string }> | (FailedMove & { attemptId: string })

/** "attempt 1", "attempts 1 and 3". */
function inWords(attempts: readonly FaxAttemptRow[]): string {
  const numbers = attempts.map(({ number }) => number)
  return numbers.length === 1
    ? `attempt ${numbers[0]}`
    : `attempts ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}

const isDelivered = ({ state, kind }: FaxAttemptRow) => state === 'ended' && kind === null

/**
 * Where a fax stands that has been delivered: at its end; or in need of a person, because another attempt was
 * delivered too, or is still open and may be.
 */
function standing(
  attempts: readonly FaxAttemptRow[],
  facts: PlanFacts,
): { open?: FaxAttemptRow; error: string | null } {
  const delivered = attempts.filter(isDelivered)
  const open = attempts.find(({ state }) => state !== 'ended')
  if (open) {
    const name = facts.nameOf(open.provider)
    const next = facts.canCancel(open.provider)
      ? `Faxdeck asks ${name} to cancel it.`
      : `${name} offers no way to cancel it.`
    const said =
      open.state === 'accepted'
        ? `${name} already has attempt ${open.number}`
        : `Attempt ${open.number} may be with ${name}`
    const sentence = `The fax was delivered by ${inWords(delivered)}. ${said} and may print the fax again. ${next}`
    return { open, error: sentence }
  }
  if (delivered.length < 2) return { error: null }
  return { error: `The fax was delivered more than once: by ${inWords(delivered)}.` }
}

/** When the work on the attempt that is still open goes on; absent while the process that submits it has it in hand. */
function queueFor(open: FaxAttemptRow | undefined): Pick<Plan, 'queue'> {
  if (!open) return { queue: null }
  return open.state === 'submitting' ? {} : { queue: { hold: open.state === 'accepted' } }
}

function attemptAfter(attempt: FaxAttemptRow, move: AttemptMove, now: Date): Partial<FaxAttemptRow> | undefined {
  const at = now.toISOString()
  switch (move.to) {
    case 'accepted': {
      const word = move.word ? { last_word: move.word } : {}
      return { state: 'accepted', accepted_at: at, provider_id: move.providerId, kind: null, sentence: null, ...word }
    }
    case 'uncertain':
      return { state: 'uncertain', kind: 'uncertain', sentence: move.sentence, ...storedCall(move.call) }
    case 'delivered':
      return endedWith({ ...move, kind: null, sentence: null }, at)
    case 'failed':
      return endedWith(move, at)
    case 'not_taken':
      return endedWith({ kind: 'unreachable', sentence: 'The provider never received this attempt.' }, at)
    case 'resolved':
      return attempt.state === 'ended'
        ? undefined
        : endedWith({ kind: 'uncertain', sentence: 'Its outcome is unknown.' }, at)
    case 'submitting':
      throw new Error('A fax that was delivered is not submitted again.')
  }
}

const seenOf = ({ phase }: FaxJobRow) =>
  phase === 'incomplete'
    ? 'the provider confirmed fewer pages than the fax has.'
    : 'the fax may have been delivered more than once.'

/** What the timeline says of the surplus attempt, where it is not what the job says. */
function entryOf(
  job: FaxJobRow,
  attempt: FaxAttemptRow,
  move: AttemptMove,
  { nameOf }: PlanFacts,
): Plan['entry'] | undefined {
  const [number, name] = [attempt.number, nameOf(attempt.provider)]
  switch (move.to) {
    case 'accepted':
      return { event: 'accepted', sentence: `${name} has accepted attempt ${number} as well.` }
    case 'uncertain':
      return { event: 'uncertain', sentence: `Attempt ${number}: ${move.sentence}` }
    case 'failed': {
      if (move.kind !== 'cancelled')
        return { event: 'surplus_ended', sentence: `Attempt ${number} ended: ${move.sentence}` }
      return { event: 'called_off', sentence: `${name} canceled attempt ${number} before it went out.` }
    }
    case 'not_taken':
      return { event: 'called_off', sentence: `${name} never got attempt ${number}.` }
    case 'resolved':
      return { event: 'resolved', sentence: `Marked as seen: ${seenOf(job)}` }
    default:
      return undefined
  }
}

/** What is said when a delivery is reported for an attempt that had counted as failed, or beside another attempt. */
function arrivalOf(job: FaxJobRow, attempt: FaxAttemptRow, pages: number | null, error: string | null): Plan['entry'] {
  const confirmed = pages === null ? '' : `, ${pagesOf(pages)} confirmed`
  const first = `Attempt ${attempt.number} was delivered${attempt.state === 'ended' ? ' after all' : ''}${confirmed}.`
  if (hasArrived(job)) return { event: 'delivered_again', sentence: `${first} ${error ?? ''}`.trim() }
  const was = job.status === 'FAILED' ? 'The fax had been recorded as failed.' : 'No more attempts will be made.'
  return { event: 'delivered', sentence: `${first} ${error ?? was}` }
}

/**
 * What a move changes of a fax that has been delivered, or is by this very move: its provider reported a delivery for
 * an attempt that had counted as failed. Nothing is sent any more. An attempt that is still open is called off.
 */
export function planArrival(job: FaxJobRow, move: AttemptMove, facts: PlanFacts): Plan {
  const attempt = facts.attempts.find(({ id }) => id === move.attemptId)
  if (!attempt) throw new Error('A move names an attempt that the fax does not have.')
  const { now } = facts
  const after = attemptAfter(attempt, move, now)
  const { open, error: surplus } = standing(
    facts.attempts.map((each) => (each === attempt ? { ...each, ...after } : each)),
    facts,
  )
  const isSeen = move.to === 'resolved'
  const pages = move.to === 'delivered' ? move.pagesConfirmed : null
  const delivery = {
    backend: attempt.provider,
    provider_id: (move.to === 'delivered' ? move.providerId : undefined) ?? attempt.provider_id,
    pages_confirmed: pages,
    finished_at: now.toISOString(),
    is_test: attempt.is_test === 1 ? 1 : 0,
  }
  const known = job.phase === 'incomplete' ? job.error : null
  const tooFew = hasArrived(job) ? known : tooFewPages(pages, job)
  const error = surplus ?? tooFew
  const needy = surplus === null ? 'incomplete' : 'duplicate'
  return {
    phase: error === null || isSeen ? 'delivered' : needy,
    job: {
      ...(hasArrived(job) ? {} : delivery),
      error: isSeen ? null : error,
      error_kind: null,
      next_try_at: null,
      hold: null,
    },
    ...(after ? { attempt: after } : {}),
    entry: entryOf(job, attempt, move, facts) ?? arrivalOf(job, attempt, pages, error),
    ...(move.to === 'uncertain'
      ? { queue: { dueAt: move.lookAgain, hold: false } }
      : queueFor(isSeen ? undefined : open)),
  }
}

/** Whether a move is about a fax of which an attempt was delivered while another one is, or was, under way. */
export function concernsArrival(job: FaxJobRow, move: Move, attempts: readonly FaxAttemptRow[]): move is AttemptMove {
  if (!('attemptId' in move) || move.attemptId === undefined || move.to === 'submitting') return false
  if (hasArrived(job)) return true
  const isOpen = (attempt: FaxAttemptRow) => attempt.state !== 'ended' && attempt.id === move.attemptId
  return move.to === 'delivered' && !attempts.some(isOpen)
}
