/** What is known of a call so far. */
export interface Call {
  /** Q.850 cause of its channel; 0 until it is known. */
  cause: number
  /** Set when the call was not answered: why (AST_CONTROL). */
  failedFor: number | undefined
  /** The end was reported; what comes after it means nothing. */
  isOver: boolean
  /** Runs when the dialplan is late to report the end, and later when the call can be forgotten. */
  timer: NodeJS.Timeout | undefined
}

const echoMs = 60_000

/** The calls under way, as far as this process knows of them. */
export class Calls {
  readonly #calls = new Map<string, Call>()

  find(attemptId: string): Call | undefined {
    return this.#calls.get(attemptId)
  }

  note(attemptId: string): Call {
    const known = this.#calls.get(attemptId)
    if (known) return known
    const call = { cause: 0, failedFor: undefined, isOver: false, timer: undefined }
    this.#calls.set(attemptId, call)
    return call
  }

  /** Keeps a call that has ended until the last echo of it must have come. */
  end(attemptId: string): void {
    const call = this.note(attemptId)
    call.isOver = true
    clearTimeout(call.timer)
    call.timer = setTimeout(() => this.forget(attemptId), echoMs).unref()
  }

  forget(attemptId: string): void {
    clearTimeout(this.#calls.get(attemptId)?.timer)
    this.#calls.delete(attemptId)
  }

  forgetAll(): void {
    for (const attemptId of [...this.#calls.keys()]) this.forget(attemptId)
  }
}
