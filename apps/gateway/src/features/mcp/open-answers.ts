import type { ServerResponse } from 'node:http'

/** Asks whether the caller of an answer would be admitted now. @throws when not */
export type AdmitAgain = () => Promise<unknown>

const everyMs = 15_000

/**
 * The answers that are open, as streams of MCP are for hours. Each ends as soon as its caller would no longer be
 * admitted: at once when its key is revoked or replaced, within 15 seconds when its key or token has expired.
 */
export class OpenAnswers {
  readonly #open = new Map<ServerResponse, AdmitAgain>()
  #timer: NodeJS.Timeout | undefined

  /** Watches over an answer until it is closed. */
  hold(response: ServerResponse, admitAgain: AdmitAgain): void {
    this.#open.set(response, admitAgain)
    this.#timer ??= setInterval(() => this.check(), everyMs).unref()
    response.on('close', () => {
      this.#open.delete(response)
      if (this.#open.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    // The key may have been revoked between admission and now.
    this.#check(response, admitAgain)
  }

  /** Asks again for every answer that is open. */
  check(): void {
    for (const [response, admitAgain] of this.#open) this.#check(response, admitAgain)
  }

  #check(response: ServerResponse, admitAgain: AdmitAgain): void {
    admitAgain().catch(() => response.destroy())
  }
}
