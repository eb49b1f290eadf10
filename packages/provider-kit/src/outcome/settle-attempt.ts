import type { UncertainAttempt, Witness } from './uncertain-attempt.ts'
import { ProviderProblem } from '../provider.ts'

/** By then a provider has worked off, or dropped, whatever it got of a request whose answer we did not see. */
const settledAfterMs = 60 * 60_000
/** A stamp further ahead of the clock that the provider shows was made by another clock. */
const sameClockMs = 60_000

/**
 * Whether what a provider lists reaches past an attempt: it shows a fax of ours that it took an hour after the attempt
 * was over, by the provider's own clock. Only then does a list without the attempt, read afterwards and to its end, say
 * that it was never taken. The clock that we show has no part in it: it may be wrong, or have been set meanwhile. But an
 * hour must have passed by our steady clock too, because a provider may date an answer wrongly, or set its own clock.
 * @param stampOf when the provider created the witness, as its list says; undefined when the list does not show it
 */
export async function listsReachPast(
  attempt: UncertainAttempt,
  stampOf: (witness: Witness) => Promise<Date | undefined>,
): Promise<boolean> {
  const { overBy } = attempt
  if ((attempt.overForMs() ?? 0) < settledAfterMs) return false
  const witness = overBy && (await attempt.witness())
  const stamp = witness && (await stampOf(witness))
  const now = attempt.clock()
  if (!overBy || !stamp || !now) return false
  return stamp.getTime() - overBy.getTime() >= settledAfterMs && stamp.getTime() - now.getTime() <= sameClockMs
}

/**
 * What it means that a provider lists nothing of an attempt.
 * @param reachesPast what `listsReachPast` said before the list was read
 * @throws {ProviderProblem} `uncertain` without proof
 */
export function notListed(name: string, reachesPast: boolean): { taken: false } {
  if (reachesPast) return { taken: false }
  throw new ProviderProblem(
    'uncertain',
    `${name} does not list this fax, which alone does not prove that it never received it.`,
  )
}
