/** How a call to the far end ends. `bad_document`: its link leads nowhere. `unknown_word` ends like `delivered`, after a state nobody has heard of. */
export type Ending = 'delivered' | 'busy' | 'no_answer' | 'partial' | 'unknown_word' | 'bad_document'

export interface CallPlan {
  ending: Ending
  /** What comes back from the request that hands the fax over. `rate_limited` is met once per number. */
  answer: 'taken' | 'bad_number' | 'rate_limited' | 'server_error' | 'lost' | 'silence'
  /** How callbacks arrive. `muddled`: the end first and twice, then what came before. `early`: before the answer. */
  callbacks: 'ordinary' | 'none' | 'muddled' | 'early'
  /** The call is first reported busy; some steps later the same fax is reported delivered, as it was. */
  isCorrected?: boolean
  /** The duration in ordinary calls. */
  length: number
}

const ordinary: CallPlan = { ending: 'delivered', answer: 'taken', callbacks: 'ordinary', length: 1 }

const magic: Readonly<Record<string, Partial<CallPlan>>> = {
  '0100': { ending: 'busy' },
  '0101': { ending: 'no_answer' },
  '0102': { answer: 'bad_number' },
  '0103': { ending: 'partial' },
  '0104': { length: 10 },
  '0106': { answer: 'lost' },
  '0107': { callbacks: 'none' },
  '0108': { answer: 'rate_limited' },
  '0109': { answer: 'server_error' },
  '0110': { callbacks: 'muddled' },
  '0111': { ending: 'unknown_word' },
  '0112': { answer: 'silence' },
  '0113': { callbacks: 'early' },
  '0114': { isCorrected: true },
}

/** What each magic number does, for people: the last four digits of +1555555…. */
export const destinations: readonly (readonly [digits: string, what: string])[] = [
  ['0123', 'delivered'],
  ['0100', 'busy'],
  ['0101', 'no answer'],
  ['0102', 'refused at once: no such number'],
  ['0103', 'cut after page 1'],
  ['0104', 'delivered, after ten times as long'],
  ['0105', 'busy twice, then delivered'],
  ['0106', 'taken, but the connection breaks before the answer'],
  ['0107', 'delivered, but the callback is lost'],
  ['0108', 'too many requests once, with Retry-After; then delivered'],
  ['0109', 'the provider fails; nothing is taken'],
  ['0110', 'delivered; callbacks come twice and out of order'],
  ['0111', 'delivered, by way of a status nobody knows'],
  ['0112', 'not taken, and no answer comes'],
  ['0113', 'delivered; the callback comes before the answer'],
  ['0114', 'delivered, but reported busy at first'],
]

/**
 * What happens to a fax: decided by its number, so that a person can choose it.
 * @param triesBefore how often this number was faxed before
 */
export function planCall(to: string, triesBefore: number): CallPlan {
  const digits = /^\+?1555555(\d{4})$/.exec(to)?.[1] ?? ''
  if (digits === '0105') return { ...ordinary, ending: triesBefore < 2 ? 'busy' : 'delivered' }
  const plan = { ...ordinary, ...magic[digits] }
  return plan.answer === 'rate_limited' && triesBefore > 0 ? { ...plan, answer: 'taken' } : plan
}
