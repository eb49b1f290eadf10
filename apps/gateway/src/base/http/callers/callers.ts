import { type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import type { Handlers } from '../handler.ts'

/** From this many callers at once, other work has to wait. */
const rush = 4
/** A rush has small gaps. */
const lingerMs = 1000

/** Knows whether many callers wait for an answer: queued work gives way to them. */
export class Callers {
  readonly #clock: () => number
  #waiting = 0
  #lastRush = -Infinity

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Whether so many wait, or did a moment ago, that queued work should give way. */
  areMany(): boolean {
    this.#look()
    return this.#clock() - this.#lastRush < lingerMs
  }

  /** Answers a call. */
  async answer<T>(call: () => T): Promise<Awaited<T>> {
    this.#waiting++
    try {
      return await call()
    } finally {
      this.#look()
      this.#waiting--
    }
  }

  /** A rush lasts as long as its callers wait, not only while new ones come. */
  #look(): void {
    if (this.#waiting >= rush) this.#lastRush = this.#clock()
  }

  /** The same handlers, whose callers are counted, except those that wait for something to happen. */
  counting(handlers: Handlers): Handlers {
    const counted = Object.entries(handlers).map(([name, handler]) => {
      const handle = handler as (call: unknown) => unknown
      const row: RouteRow = routes[name as RouteName]
      if (row.waits) return [name, handle]
      return [name, (call: unknown) => this.answer(() => handle(call))]
    })
    return Object.fromEntries(counted) as Handlers
  }
}
