import { ProviderProblem } from '@faxdeck/provider-kit'
import type { Ending } from './calls.ts'

/** What the line does with a call: it ends so, after so long. */
export interface Plan {
  ending: Ending
  seconds: number
}

const magicNumber = /^\+1555555(\d{4})$/
const slowSeconds = 10
const busyTimes = 2

/**
 * Decides about a call by its number: the magic destinations of the README, and every other number is delivered.
 * @param to the number dialed, E.164
 * @param seconds how long an ordinary call takes
 * @param earlierCalls returns how many calls were made for the same fax
 * @throws {ProviderProblem} `bad_number` when the line refuses the number
 */
export function planCall(to: string, seconds: number, earlierCalls: () => number): Plan {
  switch (magicNumber.exec(to)?.[1]) {
    case '0100':
      return { ending: 'busy', seconds }
    case '0101':
      return { ending: 'no_answer', seconds }
    case '0102':
      throw new ProviderProblem('bad_number', 'The number is not in service. Check it and send the fax again.')
    case '0103':
      return { ending: 'partial', seconds }
    case '0104':
      return { ending: 'delivered', seconds: slowSeconds }
    case '0105':
      return { ending: earlierCalls() < busyTimes ? 'busy' : 'delivered', seconds }
    case '0106':
      return { ending: 'unknown', seconds }
    default:
      return { ending: 'delivered', seconds }
  }
}
