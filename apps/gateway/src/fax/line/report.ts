import {
  asCanceled,
  boundedRecord,
  confirmedPagesFirst,
  plainText,
  plainUpdate,
  type SendReceipt,
  type StatusUpdate,
} from '@faxdeck/provider-kit'
import { untilBack } from '../../base/db/outage.ts'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { isOfAnother } from './ask-line.ts'
import { doubtIn, findReported } from './doubt.ts'
import { advance } from '../move/advance.ts'
import { isBeingCanceled } from './canceling.ts'
import type { GatewayContext } from '../../base/context.ts'
import { holdForgotten } from '../move/hold-unfinished.ts'
import type { Move } from '../move/move.ts'
import { afterUncertain } from '../facts/pauses.ts'

/** Whom a word of a provider is about, where that is known otherwise than by what it says. */
export interface ReportedOn {
  /** The attempt that the provider was asked about. */
  attemptId?: string
  /** Whose list it comes from: it says nothing of another account's attempts. */
  account?: string | null
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
  const attempt = await findReported(context, { ...update, provider, attemptId: attemptId ?? update.attemptId })
  if (!attempt || (account !== undefined && isOfAnother(attempt, account))) return false
  const doubt = doubtIn(context, attempt, update)
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

/**
 * Records that a provider has taken an attempt, or may have. A database that has lost the attempt, as one does that
 * failed over to a standby which lagged behind, would have the fax sent again: it is held instead.
 */
export async function recordOutcome(
  context: GatewayContext,
  jobId: string,
  move: Extract<Move, { to: 'accepted' | 'uncertain' }>,
): Promise<void> {
  const moved = await untilBack(() => advance(context, jobId, move))
  // Of an attempt that is known, either is news or a repeat.
  if (moved?.verdict !== 'refused') return
  await untilBack(() => holdForgotten(context, jobId, context.now()))
}

/**
 * Records what a provider answered to a submission; it says it once. An answer about another fax leaves it unknown
 * whether the attempt was taken.
 */
export async function recordReceipt(
  context: GatewayContext,
  { id: jobId, backend: provider }: Pick<FaxJobRow, 'id' | 'backend'>,
  attemptId: string,
  { providerId: given, update }: SendReceipt,
): Promise<void> {
  const providerId = plainText(given)
  const said = plainUpdate({ state: 'queued', ...update, providerId })
  const attempt = await untilBack(() => findReported(context, { provider, attemptId, providerId }))
  const doubt = attempt && doubtIn(context, attempt, said)
  if (doubt !== undefined) {
    const lookAgain = afterUncertain(context.now())
    await recordOutcome(context, jobId, { to: 'uncertain', attemptId, sentence: doubt, lookAgain })
    return
  }
  await recordOutcome(context, jobId, { to: 'accepted', attemptId, providerId, word: said.word, isTest: said.isTest })
  if (update?.state !== 'delivered' && update?.state !== 'failed') return
  await untilBack(() => report(context, provider, said, { attemptId }))
}
