import type { PairAftermath } from './pair-storm.ts'

interface Fate {
  key: string
  status: string
  needsAttention: boolean
  /** How often the provider took it. */
  times: number
  why: string
}

function fatesOf({ pair, sent, jobs }: PairAftermath): Fate[] {
  return sent.flatMap(({ key, ids }) => {
    const job = jobs.find(({ id }) => ids.has(id))
    const times = pair.witness.taken.filter((fax) => fax.key === key).length
    if (!job) return []
    const { status, needs_attention: needsAttention, error_kind: kind, error } = job
    return [{ key, status, needsAttention, times, why: `${kind}: ${error}` }]
  })
}

/** What the campaign was, in figures. */
export function figuresOf(aftermath: PairAftermath): Record<string, number | string> {
  const { accidents, sent, pair, longestAnswerMs, jobs } = aftermath
  const fates = fatesOf(aftermath)
  const count = (is: (fate: Fate) => boolean) => fates.filter(is).length
  return {
    ...accidents,
    'faxes, and posts they took': `${sent.length}, ${sent.reduce((sum, { posts }) => sum + posts, 0)}`,
    accepted: jobs.length,
    'provider’s answers': JSON.stringify(pair.witness.moods),
    'taken by the provider': pair.witness.taken.length,
    delivered: count(({ status }) => status === 'SUCCESS'),
    'waiting for a person': count(({ needsAttention }) => needsAttention),
    'of them taken': count(({ needsAttention, times }) => needsAttention && times > 0),
    lost: count(({ needsAttention, times }) => !needsAttention && times === 0),
    doubled: count(({ times }) => times > 1),
    'longest answer, ms': Math.round(longestAnswerMs),
  }
}

/** Every way in which what happened differs from what was promised, one sentence each; none when all is well. */
export function pairFaults(aftermath: PairAftermath): string[] {
  const { ended, sent, jobs, pair, chainIsIntact } = aftermath
  if (ended.length > 0) return ended.map((how) => `A gateway ended by itself, ${how}`)
  const known = new Set(jobs.map(({ id }) => id))
  const keys = new Set(sent.map(({ key }) => key))
  return [
    ...sent.filter(({ ids }) => ids.size !== 1).map(({ key, ids }) => `${key} has ${ids.size} jobs.`),
    ...sent.flatMap(({ ids }) => [...ids].filter((id) => !known.has(id)).map((id) => `Job ${id} is lost.`)),
    ...(jobs.length === sent.length ? [] : [`There are ${jobs.length} jobs of ${sent.length} faxes.`]),
    ...fatesOf(aftermath).flatMap(({ key, status, needsAttention, times, why }) => {
      if (times > 1) return [`${key} was taken ${times} times.`]
      if (needsAttention) return []
      // The provider refuses nothing for good, so nothing may end without a person as anything but delivered.
      return status === 'SUCCESS' && times === 1 ? [] : [`${key} is ${status} (${why}) and was taken ${times} times.`]
    }),
    ...pair.witness.taken
      .filter(({ key }) => !keys.has(key))
      .map(({ key }) => `${key} was taken and belongs to nobody.`),
    ...(chainIsIntact ? [] : ['The audit chain is broken.']),
  ]
}
