import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { Claim } from '../../base/queue/queue.ts'
import { elsewhereSentence, isElsewhere } from './ask-line.ts'
import { advance } from '../move/advance.ts'
import { askLine, lineOf, notBeforeQuiet } from './ask-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { liveAttempt } from '../facts/find-job.ts'
import { afterUncertain, doubled, firstPollMs } from '../facts/pauses.ts'
import { report } from './report.ts'

const minute = 60_000
const longestPauseMs = 60 * minute
/** A provider may need a while before it knows a fax it has just taken. */
const unknownAfterMs = 10 * minute
const silentAfterMs = 24 * 60 * minute

const unknownSentence =
  'The provider accepted the fax but no longer has a record of it. It’s unknown whether it arrived.'
const silentSentence = 'The provider has not reported an outcome within a day.'

/** Asks once what became of a fax that its provider has taken, and records the answer. */
export async function askProvider(
  context: GatewayContext,
  job: FaxJobRow,
  signal: AbortSignal,
): Promise<'known' | 'unknown' | 'silent' | 'elsewhere'> {
  if (isElsewhere(context, await liveAttempt(context, job))) return 'elsewhere'
  const line = lineOf(context, job.backend)
  if (!line || job.provider_id === null || job.attempt_id === null) return 'silent'
  const { provider_id: id } = job
  const { status } = line
  const ask = async (patience: AbortSignal) => (await status?.(id, patience)) ?? null
  const update = status && (await askLine(context, job.backend, signal, ask))
  if (update) await report(context, job.backend, update, { attemptId: job.attempt_id })
  return update ? 'known' : update === null ? 'unknown' : 'silent'
}

/** Polls a fax that its provider has accepted and not reported on for a while: after 15 s, 30 s, a minute … an hour. */
export async function poll(
  context: GatewayContext,
  job: FaxJobRow,
  { putOffMs }: Claim,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const attempt = await liveAttempt(context, job)
  const acceptedAt = Date.parse(attempt.accepted_at ?? attempt.started_at)
  const answer = await askProvider(context, job, signal)
  const now = context.now().getTime()
  const out = now - acceptedAt
  const hasNoWord = answer === 'unknown' || answer === 'elsewhere'
  if ((hasNoWord && out > unknownAfterMs) || out > silentAfterMs) {
    const sentences = { unknown: unknownSentence, elsewhere: elsewhereSentence(context, attempt) }
    const sentence = hasNoWord ? sentences[answer] : silentSentence
    await advance(context, job.id, {
      to: 'uncertain',
      attemptId: attempt.id,
      sentence,
      lookAgain: afterUncertain(context.now()),
    })
  }
  return (await liveAttempt(context, job)).state === 'accepted'
    ? notBeforeQuiet(context, job.backend, new Date(now + doubled(putOffMs, firstPollMs, longestPauseMs)))
    : undefined
}
