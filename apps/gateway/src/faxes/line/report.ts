import { asCanceled, boundedRecord, confirmedPagesFirst, type StatusUpdate } from '@faxdeck/provider-kit'
import type { FaxAttemptRow } from '../../db/tables/tables.ts'
import { isOfAnother } from './account.ts'
import { advance } from '../move/advance.ts'
import { isBeingCanceled } from './canceling.ts'
import type { GatewayContext } from '../../context.ts'
import type { Move } from '../move/move.ts'
import { afterUncertain } from './pauses.ts'

/** The attempt a provider speaks of: by our reference, else by its own id. */
async function findAttempt(
  context: GatewayContext,
  provider: string,
  { attemptId, providerId }: StatusUpdate,
): Promise<FaxAttemptRow | undefined> {
  const ofProvider = context.database.db.selectFrom('fax_attempts').selectAll().where('provider', '=', provider)
  if (attemptId !== undefined) return ofProvider.where('id', '=', attemptId).executeTakeFirst()
  if (providerId === undefined) return undefined
  return ofProvider.where('provider_id', '=', providerId).orderBy('started_at', 'desc').executeTakeFirst()
}

const failedWithoutReason = 'The provider reported a failure without a reason.'

/** A provider's report as a move. A failure of an unknown kind is not retried automatically. */
function moveOf(attempt: FaxAttemptRow, update: StatusUpdate, now: Date): Move | undefined {
  const attemptId = attempt.id
  const providerId = update.providerId ?? attempt.provider_id ?? undefined
  const word = update.word === undefined ? {} : { word: update.word }
  const call = boundedRecord(update.call)
  switch (update.state) {
    case 'queued':
    case 'in_progress':
      return providerId === undefined ? undefined : { to: 'accepted', attemptId, providerId, ...word }
    case 'delivered':
      return { to: 'delivered', attemptId, providerId, pagesConfirmed: update.pagesConfirmed ?? null, ...word, call }
    case 'failed': {
      const { kind = 'rejected', sentence = failedWithoutReason, pagesConfirmed = null, again } = update
      if (kind === 'uncertain') return { to: 'uncertain', attemptId, sentence, lookAgain: afterUncertain(now), call }
      const byCarrier = kind === 'bad_credentials'
      return { to: 'failed', attemptId, providerId, kind, sentence, pagesConfirmed, again, byCarrier, ...word, call }
    }
  }
}

/**
 * Records what a provider reports about a fax: by callback, by poll, or over an open line. Safe to repeat.
 * @param account whose list the word comes from, when it was asked for: it says nothing of another account's attempts
 * @returns false when no fax of ours is meant
 */
export async function report(
  context: GatewayContext,
  provider: string,
  update: StatusUpdate,
  account?: string | null,
): Promise<boolean> {
  const attempt = await findAttempt(context, provider, update)
  if (!attempt || (account !== undefined && isOfAnother(attempt, account))) return false
  // A hook of a telephone switch may report on the broken call before the line does that it was given up.
  const isBroken = update.state === 'failed' && (update.kind === 'partial' || update.kind === 'line_error')
  const said = isBroken && isBeingCanceled(context, attempt.id) ? asCanceled(update) : update
  const move = moveOf(attempt, confirmedPagesFirst(said), context.now())
  const moved = move && (await advance(context, attempt.job_id, move))
  // What one account is refused, all faxes are, unless another carrier takes them.
  const isNews = moved?.verdict === 'applies' && said.again === undefined
  if (isNews && said.kind === 'bad_credentials') context.breakers.refuse(provider)
  return true
}
