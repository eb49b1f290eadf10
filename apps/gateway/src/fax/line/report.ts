import { asCanceled, boundedRecord, confirmedPagesFirst, plainUpdate, type StatusUpdate } from '@faxdeck/provider-kit'
import type { FaxAttemptRow } from '../../base/db/tables/tables.ts'
import { isOfAnother } from './account.ts'
import { doubtIn } from './doubt.ts'
import { advance } from '../move/advance.ts'
import { isBeingCanceled } from './canceling.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Move } from '../move/move.ts'
import { afterUncertain } from '../facts/pauses.ts'

/** Whom a word of a provider is about, where that is known otherwise than by what it says. */
export interface ReportedOn {
  /** The attempt that the provider was asked about. */
  attemptId?: string
  /** Whose list it comes from: it says nothing of another account's attempts. */
  account?: string | null
}

/** The attempt a provider speaks of: by our reference, else by its own id. */
async function findAttempt(
  context: GatewayContext,
  provider: string,
  { attemptId, providerId }: Pick<StatusUpdate, 'attemptId' | 'providerId'>,
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
  const seen = { call: boundedRecord(update.call), isTest: update.isTest }
  switch (update.state) {
    case 'queued':
    case 'in_progress':
      return providerId === undefined
        ? undefined
        : { to: 'accepted', attemptId, providerId, ...word, isTest: update.isTest }
    case 'delivered':
      return { to: 'delivered', attemptId, providerId, pagesConfirmed: update.pagesConfirmed ?? null, ...word, ...seen }
    case 'failed': {
      const { kind = 'rejected', sentence = failedWithoutReason, pagesConfirmed = null, again } = update
      if (kind === 'uncertain') return { to: 'uncertain', attemptId, sentence, lookAgain: afterUncertain(now), ...seen }
      const byCarrier = kind === 'bad_credentials'
      return { to: 'failed', attemptId, providerId, kind, sentence, pagesConfirmed, again, byCarrier, ...word, ...seen }
    }
  }
}

/**
 * Records what a provider reports about a fax: by callback, by poll, in a list, or over an open line. Safe to repeat.
 * What contradicts our record of the fax makes its outcome unknown, and is noted: see `doubtIn`.
 * @returns false when no fax of ours is meant
 */
export async function report(
  context: GatewayContext,
  provider: string,
  reported: StatusUpdate,
  { attemptId, account }: ReportedOn = {},
): Promise<boolean> {
  const update = plainUpdate(reported)
  const attempt = await findAttempt(context, provider, attemptId === undefined ? update : { attemptId })
  if (!attempt || (account !== undefined && isOfAnother(attempt, account))) return false
  const doubt = await doubtIn(context, attempt, update)
  if (doubt !== undefined) {
    const lookAgain = afterUncertain(context.now())
    const uncertain = { to: 'uncertain', attemptId: attempt.id, sentence: doubt, lookAgain } as const
    await advance(context, attempt.job_id, { ...uncertain, isContradicted: true })
    return true
  }
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
