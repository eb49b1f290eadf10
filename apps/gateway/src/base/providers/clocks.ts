/** What is known of a provider's clock. */
export interface ClockReading {
  /** The provider's clock now. */
  now: Date
  /** How far it is ahead of ours, in milliseconds; behind when negative. */
  aheadMs: number
  /** How long ago the provider's last answer was. */
  ageMs: number
  /** This machine's steady clock now, which nobody sets, in milliseconds. */
  steadyMs: number
  /** Since when, by the steady clock, the provider's clock has run as evenly as that. */
  evenSinceMs: number
}

interface Seen {
  theirs: number
  /** By this machine's steady clock, which nobody sets. */
  steady: number
}

/** Answers are dated in whole seconds, and may be under way for a while. */
const evenWithinMs = 60_000
/** A clock that was set is believed when answers still say the same after this time. */
const believedAfterMs = 60_000

const isEven = ({ theirs, steady }: Seen, now: Seen) =>
  Math.abs(now.theirs - theirs - (now.steady - steady)) <= evenWithinMs

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
 * compared with what a provider stamps its faxes with, whatever our own clock shows or is set to. A reading that jumps is
 * dropped, unless the answers of the next minute jump alike.
 */
export class Clocks {
  readonly #seen = new Map<string, Seen & { evenSince: number }>()
  readonly #jumped = new Map<string, Seen>()
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
    const steadyMs = this.#steady()
    const ageMs = steadyMs - seen.steady
    const now = new Date(seen.theirs + ageMs)
    return { now, aheadMs: now.getTime() - this.#now().getTime(), ageMs, steadyMs, evenSinceMs: seen.evenSince }
  }

  #take(id: string, reading: Seen): void {
    const [seen, jumped] = [this.#seen.get(id), this.#jumped.get(id)]
    if (!seen || isEven(seen, reading)) {
      this.#seen.set(id, { ...reading, evenSince: seen?.evenSince ?? reading.steady })
      this.#jumped.delete(id)
    } else if (!jumped || !isEven(jumped, reading)) {
      this.#jumped.set(id, reading)
    } else if (reading.steady - jumped.steady >= believedAfterMs) {
      this.#seen.set(id, { ...reading, evenSince: reading.steady })
      this.#jumped.delete(id)
    }
  }

  /** A fetch that reads the provider's clock from each answer. */
  watch(id: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init)
      const theirs = dateOf(response.headers)
      if (theirs !== undefined) this.#take(id, { theirs, steady: this.#steady() })
      return response
    }
  }
}
