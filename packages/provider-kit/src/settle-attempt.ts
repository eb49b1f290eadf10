import { type HandedOver, ProviderProblem } from './provider.ts'

/** By then a provider has worked off, or dropped, whatever it got of a request whose answer we did not see. */
const settledAfterMs = 10 * 60_000

/**
 * What it means that a provider lists nothing of an attempt: not taken, once the attempt is old enough for that to be certain.
 * @throws {ProviderProblem} `uncertain` before
 */
export function notListed(name: string, handedOver: HandedOver, now: Date): { taken: false } {
  if (now.getTime() - handedOver.at.getTime() >= settledAfterMs) return { taken: false }
  throw new ProviderProblem('uncertain', `${name} knows nothing of this fax so far. It is asked again.`)
}
