import { senderOf } from '../http/network.ts'
import { Problem } from '../http/problem.ts'

const windowMs = 15 * 60_000
/** Failures within a quarter of an hour: of one person from one address, of one person from anywhere, from one address. */
const limits = { pair: 5, person: 30, address: 30 } as const
/** Names that are remembered; guessing with more than so many e-mail addresses is stopped by the limit of the address. */
const maxNames = 50_000

/** Slows down whoever guesses passwords. Each process counts for itself. */
export class SignInThrottle {
  readonly #now: () => Date
  readonly #failures = new Map<string, number>()
  #window = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  #names(emailKey: string, address: string) {
    const sender = senderOf(address)
    return { pair: `pair ${sender} ${emailKey}`, person: `person ${emailKey}`, address: `address ${sender}` }
  }

  #turn(): number {
    const now = this.#now().getTime()
    const current = Math.floor(now / windowMs)
    if (current !== this.#window || this.#failures.size > maxNames) this.#failures.clear()
    this.#window = current
    return Math.ceil(((current + 1) * windowMs - now) / 1000)
  }

  /**
   * Counts a try as a failure until it turns out right, so that many at once are not more than one after the other.
   * @throws {Problem} `rate_limited`
   */
  begin(emailKey: string, address: string): { succeeded: () => void } {
    const retryAfterSeconds = this.#turn()
    const names = this.#names(emailKey, address)
    const kinds = Object.keys(limits) as (keyof typeof limits)[]
    if (kinds.some((kind) => (this.#failures.get(names[kind]) ?? 0) >= limits[kind])) {
      const minutes = Math.ceil(retryAfterSeconds / 60)
      throw new Problem('rate_limited', `Too many failed sign-ins. Try again in ${minutes} min.`, { retryAfterSeconds })
    }
    const add = (by: number) => {
      for (const kind of kinds)
        this.#failures.set(names[kind], Math.max(0, (this.#failures.get(names[kind]) ?? 0) + by))
    }
    add(1)
    const { pair } = names
    return {
      succeeded: () => {
        add(-1)
        this.#failures.delete(pair)
      },
    }
  }
}
