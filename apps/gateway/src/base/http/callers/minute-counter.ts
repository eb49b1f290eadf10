import { Problem } from '../answers/problem.ts'

/** Counts by name within each minute of the clock; everything is forgotten when the next minute begins. */
export class MinuteCounter {
  readonly #now: () => Date
  readonly #counts = new Map<string, number>()
  #minute = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  #turn(): void {
    const minute = Math.floor(this.#now().getTime() / 60_000)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#counts.clear()
  }

  /** How often the name was counted in this minute. */
  seen(name: string): number {
    this.#turn()
    return this.#counts.get(name) ?? 0
  }

  /** Counts one more and answers how many that makes. */
  count(name: string): number {
    const seen = this.seen(name) + 1
    this.#counts.set(name, seen)
    return seen
  }

  /** @throws {Problem} `rate_limited` once there were `max` in this minute */
  stop(name: string, max: number, sentence?: string): void {
    if (this.seen(name) < max) return
    throw new Problem('rate_limited', sentence, { retryAfterSeconds: this.secondsLeft() })
  }

  /** Counts one more, of at most `max` in a minute. @throws {Problem} `rate_limited` */
  limit(name: string, max: number, sentence?: string): void {
    this.stop(name, max, sentence)
    this.count(name)
  }

  /** Whole seconds until the next minute, at least 1. */
  secondsLeft(): number {
    return 60 - Math.floor((this.#now().getTime() % 60_000) / 1000)
  }
}
