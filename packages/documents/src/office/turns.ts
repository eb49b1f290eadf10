import PQueue from 'p-queue'
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
  readonly #queue = new PQueue({ concurrency: 1 })

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** @throws {DocumentProblem} `busy` */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#queue.size >= this.#limits.waiting) throw busy()
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(busy()), this.#limits.ms).unref()
    const begin = () => {
      clearTimeout(timer)
      return work()
    }
    return this.#queue.add(begin, { signal: patience.signal })
  }
}
