import { setTimeout as delay } from 'node:timers/promises'
import { DocumentProblem } from '../base/problem.ts'

/** How many may wait for their turn, and for how long. */
export interface TurnLimits {
  waiting: number
  ms: number
}

const busy = () =>
  new DocumentProblem(
    'busy',
    'Too many office documents are being converted right now, so this one was not accepted. Try again in a minute, or save it as PDF and send that.',
  )

/** Runs one after the other. A document that would wait too long is refused at once, or when the time is over. */
export class Turns {
  readonly #limits: TurnLimits
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** @throws {DocumentProblem} `busy` */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#limits.waiting) throw busy()
    const before = this.#last
    const { promise, resolve: end } = Promise.withResolvers<undefined>()
    this.#last = promise
    this.#waiting++
    const patience = new AbortController()
    const late = delay(this.#limits.ms, 'late', { signal: patience.signal, ref: false }).catch(() => 'late')
    const isLate = (await Promise.race([before, late])) === 'late'
    patience.abort()
    this.#waiting--
    if (isLate) {
      void before.then(() => end(undefined))
      throw busy()
    }
    try {
      return await work()
    } finally {
      end(undefined)
    }
  }
}
