import { randomBytes, timingSafeEqual } from 'node:crypto'
import { reasonOf } from '@faxdeck/provider-kit'
import { atOwnAddress, type FetchOptions, guardedFetch } from './guarded-fetch.ts'

/** Whether this gateway answers under its public address, and what was seen. */
export interface OwnAnswer {
  passed: boolean
  /** One sentence. */
  detail: string
  /** What to do, where somebody else answered. */
  hint?: string
}

/**
 * Asks the public address, from inside: a pass does not prove the way from outside. Never throws.
 * @param publicUrl without a trailing slash
 */
export type AskOurselves = (publicUrl: string, signal: AbortSignal) => Promise<OwnAnswer>

/** The header of a challenge, 32 hexadecimal digits, and that of its answer. */
export const challengeHeader = 'faxdeck-challenge'
export const proofHeader = 'faxdeck-proof'

const somebodyElse =
  'A different server answers at the public address, so callbacks never arrive. Correct PUBLIC_API_URL, or where the proxy or tunnel forwards to.'

function isSame(proof: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(proof ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * A question that only a gateway of this installation can answer: it proves that it has the master key.
 * @param prove answers a challenge as the gateway does that is asked
 * @param how how names are looked up, when it is not as usual
 */
export function createOwnQuestion(
  prove: (challenge: string) => string,
  how: Pick<FetchOptions, 'resolve'> = {},
): {
  ask: AskOurselves
  close: () => Promise<void>
} {
  const { fetch, close } = guardedFetch({ ...how, mayReach: atOwnAddress })
  const ask: AskOurselves = async (publicUrl, signal) => {
    const challenge = randomBytes(16).toString('hex')
    try {
      const response = await fetch(`${publicUrl}/health`, { headers: { [challengeHeader]: challenge }, signal })
      if (isSame(response.headers.get(proofHeader), prove(challenge))) {
        return { passed: true, detail: `${publicUrl} answers from here.` }
      }
      const detail = `${publicUrl}/health answered with the status ${response.status}, not as this gateway does.`
      return { passed: false, detail, hint: somebodyElse }
    } catch (error) {
      return { passed: false, detail: `${publicUrl} cannot be reached from here: ${reasonOf(error, signal)}.` }
    }
  }
  return { ask, close }
}
