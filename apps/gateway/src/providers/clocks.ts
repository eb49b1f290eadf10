/** What is known of a provider's clock. */
export interface ClockReading {
  /** The provider's clock now. */
  now: Date
  /** How far it is ahead of ours, in milliseconds; behind when negative. */
  aheadMs: number
  /** How long ago the provider's last answer was. */
  ageMs: number
}

interface Seen {
  theirs: number
  /** By this machine's steady clock, which nobody sets. */
  steady: number
}

interface Parts {
  now: () => Date
  /** Milliseconds that only grow. */
  steady?: () => number
}

/** What the `Date` header of an answer says (RFC 9110, 6.6.1); undefined for answers that a cache kept. */
function dateOf(headers: Headers): number | undefined {
  const at = Date.parse(headers.get('date') ?? '')
  const age = Number(headers.get('age') ?? 0)
  return Number.isNaN(at) || age > 0 ? undefined : at
}

/**
 * The clocks of the providers, read from their answers, and carried on by this machine's steady clock: so they can be
 * compared with what a provider stamps its faxes with, whatever our own clock shows or is set to.
 */
export class Clocks {
  readonly #seen = new Map<string, Seen>()
  readonly #now: () => Date
  readonly #steady: () => number

  constructor({ now, steady = () => performance.now() }: Parts) {
    this.#now = now
    this.#steady = steady
  }

  /** What is known of a provider's clock; undefined before its first answer. */
  read(id: string): ClockReading | undefined {
    const seen = this.#seen.get(id)
    if (!seen) return undefined
    const ageMs = this.#steady() - seen.steady
    const now = new Date(seen.theirs + ageMs)
    return { now, aheadMs: now.getTime() - this.#now().getTime(), ageMs }
  }

  /** A fetch that reads the provider's clock from each answer. */
  watch(id: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init)
      const theirs = dateOf(response.headers)
      if (theirs !== undefined) this.#seen.set(id, { theirs, steady: this.#steady() })
      return response
    }
  }
}
