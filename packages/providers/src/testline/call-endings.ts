import type { Host } from '@faxdeck/provider-kit'
import PQueue from 'p-queue'
import { type Calls, isPrinted } from './calls.ts'
import type { PageStore } from './page-store.ts'
import { incomingFax, updateOf } from './report.ts'

const simultaneousEndings = 64
const firstRetryMilliseconds = 1000
const longestRetryMilliseconds = 60_000

/** Lets calls end when their time has come, reports the end and hands the printed fax over, until that has succeeded. */
export class CallEndings {
  readonly #host: Host
  readonly #calls: Calls
  readonly #pages: PageStore
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #due = new PQueue({ concurrency: simultaneousEndings })
  readonly #reporting = new Set<string>()

  constructor(host: Host, calls: Calls, pages: PageStore) {
    this.#host = host
    this.#calls = calls
    this.#pages = pages
  }

  /** Ends and reports a call after this many milliseconds. Safe to repeat. */
  endLater(attempt: string, milliseconds: number, retryAfter = firstRetryMilliseconds): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        void this.#due.add(() => this.#endAndReport(attempt, retryAfter))
      },
      Math.max(0, milliseconds),
    )
    this.#timers.add(timer)
  }

  /** Stops the clock and resolves when the running endings are through. */
  async close(): Promise<void> {
    this.#stopClock()
    this.#due.clear()
    await this.#due.onIdle()
    // One that failed meanwhile was to be tried again.
    this.#stopClock()
  }

  #stopClock(): void {
    this.#timers.forEach(clearTimeout)
    this.#timers.clear()
  }

  async #endAndReport(attempt: string, retryAfter: number): Promise<void> {
    if (this.#reporting.has(attempt)) return
    this.#reporting.add(attempt)
    try {
      await this.#report(attempt)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#host.log.warn('The test line could not report the end of a call. It will try again.', { attempt, reason })
      this.endLater(attempt, retryAfter, Math.min(2 * retryAfter, longestRetryMilliseconds))
    } finally {
      this.#reporting.delete(attempt)
    }
  }

  async #report(attempt: string): Promise<void> {
    const planned = this.#calls.get(attempt)
    if (!planned || planned.settled_at !== null) return
    const now = () => this.#host.now().getTime()
    await this.#calls.end(attempt, planned.plan, now())
    const call = this.#calls.get(attempt) ?? planned
    const update = updateOf(call)
    if (update) await this.#host.report(update)
    if (isPrinted(call)) {
      await this.#host.receive(
        await incomingFax(call, this.#pages.pathOf(attempt), await this.#pages.numberOf(attempt)),
      )
    }
    await this.#calls.settle(attempt, now())
    await this.#pages.drop(attempt)
  }
}
