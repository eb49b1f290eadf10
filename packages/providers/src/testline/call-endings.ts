import type { Host } from '@faxdeck/provider-kit'
import PQueue from 'p-queue'
import type { CallMemory } from './call-memory.ts'
import type { Call } from './calls.ts'
import type { PageStore } from './page-store.ts'
import type { Ending } from './record.ts'
import { incomingFax, updateOf } from './report.ts'

const simultaneousEndings = 64
const firstRetryMilliseconds = 1000
const longestRetryMilliseconds = 60_000

/** Lets calls end when their time has come, reports the end and hands the printed fax over, until that has succeeded. */
export class CallEndings {
  readonly #host: Host
  readonly #memory: CallMemory
  readonly #pages: PageStore
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #due = new PQueue({ concurrency: simultaneousEndings })
  readonly #ending = new Map<string, Promise<void>>()
  readonly #telling = new Set<string>()

  constructor(host: Host, memory: CallMemory, pages: PageStore) {
    this.#host = host
    this.#memory = memory
    this.#pages = pages
  }

  /** Ends and reports a call after so many milliseconds. Safe to repeat. */
  endLater(call: Call, milliseconds: number, retryAfter = firstRetryMilliseconds): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.#due.add(() => this.#endAndReport(call, retryAfter))
    }, milliseconds)
    this.#timers.add(timer)
  }

  /** Ends a call in this way, unless it has ended or is ending already. Resolves when the end is on the disk. */
  async end(call: Call, ending: Ending): Promise<void> {
    if (call.ended) return
    const { attempt, prints } = call.taken
    const at = this.#host.now().getTime()
    const printed = prints && ending !== 'cancelled'
    const under =
      this.#ending.get(attempt) ??
      this.#memory.record({ event: 'ended', attempt, at, ending, printed }).finally(() => this.#ending.delete(attempt))
    this.#ending.set(attempt, under)
    await under
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

  async #endAndReport(call: Call, retryAfter: number): Promise<void> {
    const { attempt } = call.taken
    if (call.settled || this.#telling.has(attempt)) return
    this.#telling.add(attempt)
    try {
      await this.end(call, call.taken.ending)
      await this.#tell(call)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#host.log.warn('The test line could not report the end of a call. It will try again.', { attempt, reason })
      this.endLater(call, retryAfter, Math.min(2 * retryAfter, longestRetryMilliseconds))
    } finally {
      this.#telling.delete(attempt)
    }
  }

  async #tell(call: Call): Promise<void> {
    const { attempt } = call.taken
    const update = updateOf(call)
    if (update) await this.#host.report(update)
    if (call.ended?.printed) {
      await this.#host.receive(
        await incomingFax(call, this.#pages.pathOf(attempt), await this.#pages.numberOf(attempt)),
      )
    }
    await this.#memory.record({ event: 'settled', attempt, at: this.#host.now().getTime() })
    await this.#pages.drop(attempt)
  }
}
