import type { CallRecord, Ended, Taken } from './record.ts'

/** One call, as the journal reports it. */
export interface Call {
  readonly taken: Taken
  ended: Ended | undefined
  settled: boolean
}

/** The line's memory: the records of the journal, folded. Applying a record twice changes nothing. */
export class Calls {
  readonly #byAttempt = new Map<string, Call>()
  readonly #settled = new Set<string>()
  readonly #remembered: number
  /** Whether there are calls that are not in memory. */
  forgetful = false

  /** @param remembered how many settled calls to keep; older ones stand in the journal only */
  constructor(remembered: number) {
    this.#remembered = remembered
  }

  get(attempt: string): Call | undefined {
    return this.#byAttempt.get(attempt)
  }

  /** Calls under way, and calls that have ended without everybody having been told. */
  unsettled(): Call[] {
    return [...this.#byAttempt.values()].filter((call) => !call.settled)
  }

  /** How many calls were made for a fax. */
  countOf(job: string): number {
    let count = 0
    for (const call of this.#byAttempt.values()) if (call.taken.job === job) count += 1
    return count
  }

  apply(record: CallRecord): void {
    const call = this.#byAttempt.get(record.attempt)
    if (record.event === 'taken') {
      if (!call) this.#byAttempt.set(record.attempt, { taken: record, ended: undefined, settled: false })
    } else if (record.event === 'ended') {
      if (call) call.ended ??= record
    } else if (call) {
      this.#settle(call)
    }
  }

  #settle(call: Call): void {
    call.settled = true
    this.#settled.add(call.taken.attempt)
    this.forgetAllBut(this.#remembered)
  }

  /** Forgets the calls that were settled first, until so many settled ones are left. */
  forgetAllBut(count: number): void {
    for (const attempt of this.#settled) {
      if (this.#settled.size <= count) return
      this.#settled.delete(attempt)
      this.#byAttempt.delete(attempt)
      this.forgetful = true
    }
  }
}
