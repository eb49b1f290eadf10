import { senderOf } from '../../base/http/callers/network.ts'
import { Problem } from '../../base/http/answers/problem.ts'

const windowMs = 15 * 60_000
/**
 * Failures within a quarter of an hour: of one person from one address, of one person from anywhere, from one address, of
 * one person in a browser in which they have signed in before.
 */
const limits = { pair: 5, person: 30, address: 30, device: 5 } as const
type Kind = keyof typeof limits
/** Addresses from which somebody has signed in since the start, the latest last. */
const maxAddresses = 10_000
/** Names that are remembered. Beyond it those with the fewest failures are forgotten first. */
const maxNames = 50_000

/** A try that counts as a failure until something else is said of it. */
export interface Attempt {
  /** It was right: the failures of this person from this address are forgotten. */
  succeeded: () => void
  /** It says nothing about who tries: it is not counted, and what was counted before stays. */
  withdraw: () => void
}

/** Who tries to sign in. */
export interface Tries {
  emailKey: string
  address: string
  /** The browser, if its person has signed in with it before: strangers' failures do not lock it out. */
  device?: string | undefined
}

/** Slows down the guessing of passwords and codes. Each process counts for itself. */
export class SignInThrottle {
  readonly #now: () => Date
  readonly #failures = new Map<string, number>()
  readonly #addresses = new Set<string>()
  #window = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  /**
   * What a failure counts for, and what stops a try. From an address from which somebody has signed in, strangers stop
   * nobody, whoever is asked for: so nobody learns there whose address it is.
   */
  #names({ emailKey, address, device }: Tries): { counted: [Kind, string][]; stopping: [Kind, string][] } {
    const sender = senderOf(address)
    if (device !== undefined) {
      const own: [Kind, string][] = [['device', `device ${device} ${emailKey}`]]
      return { counted: own, stopping: own }
    }
    const counted: [Kind, string][] = [
      ['pair', `pair ${sender} ${emailKey}`],
      ['person', `person ${emailKey}`],
      ['address', `address ${sender}`],
    ]
    const isKnown = this.#addresses.has(sender)
    return { counted, stopping: counted.filter(([kind]) => kind !== 'person' || !isKnown) }
  }

  #noteAddress(address: string): void {
    const sender = senderOf(address)
    this.#addresses.delete(sender)
    this.#addresses.add(sender)
    const [oldest] = this.#addresses
    if (oldest !== undefined && this.#addresses.size > maxAddresses) this.#addresses.delete(oldest)
  }

  #turn(): number {
    const now = this.#now().getTime()
    const current = Math.floor(now / windowMs)
    if (current !== this.#window) this.#failures.clear()
    this.#window = current
    return Math.ceil(((current + 1) * windowMs - now) / 1000)
  }

  /** Trying many names must not push the most tried ones out of memory. */
  #makeRoom(): void {
    if (this.#failures.size <= maxNames) return
    for (let few = 1; this.#failures.size > maxNames / 2; few++)
      for (const [name, count] of this.#failures) if (count <= few) this.#failures.delete(name)
  }

  #add(name: string, by: number): void {
    const count = (this.#failures.get(name) ?? 0) + by
    if (count > 0) this.#failures.set(name, count)
    else this.#failures.delete(name)
  }

  /**
   * Counts a try as a failure until it turns out right, so that many at once are not more than one after the other.
   * @throws {Problem} `rate_limited`
   */
  begin(tries: Tries): Attempt {
    const retryAfterSeconds = this.#turn()
    this.#makeRoom()
    const { counted, stopping } = this.#names(tries)
    if (stopping.some(([kind, name]) => (this.#failures.get(name) ?? 0) >= limits[kind])) {
      const minutes = Math.ceil(retryAfterSeconds / 60)
      throw new Problem('rate_limited', `Too many failed sign-ins. Try again in ${minutes} min.`, { retryAfterSeconds })
    }
    for (const [, name] of counted) this.#add(name, 1)
    const begunIn = this.#window
    const withdraw = () => {
      if (begunIn === this.#window) for (const [, name] of counted) this.#add(name, -1)
    }
    return {
      withdraw,
      succeeded: () => {
        withdraw()
        for (const [kind, name] of counted) if (kind === 'pair' || kind === 'device') this.#failures.delete(name)
        this.#noteAddress(tries.address)
      },
    }
  }
}

/** Does what decides about an attempt. When it could not be decided, the attempt is not counted. */
export async function decide<T>(attempt: Attempt, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) attempt.withdraw()
    throw error
  }
}
