import { pause } from './pause.ts'
import { GatewayError, StillUnderWayError } from './problems.ts'
import type { Fax } from './shapes.ts'

export interface Waiting {
  /** Seconds to wait in all; 1,800 when it is not given. */
  timeout?: number
  signal?: AbortSignal
  /** Called with the fax whenever its state has changed. */
  onChange?: (fax: Fax) => void
}

const usualTimeout = 30 * 60
/** The gateway holds its answer back so long. */
const longestHeldMs = 30_000
const firstPauseMs = 1000
const longestPauseMs = 15_000
const tooMany = 429

/** Finished, or in the hands of a person. */
const isSettled = (fax: Fax) => fax.status === 'SUCCESS' || fax.status === 'FAILED' || fax.needs_attention

const late = (id: string, status: string, timeout: number) =>
  new StillUnderWayError(`Fax ${id} is still ${status} after ${timeout} s.`)

/**
 * Waits until the outcome of a fax is known: the gateway answers once it is. One that answers at once is asked less and
 * less often. An uncertain fax is answered as it is, with `needs_attention`: waiting longer would not help.
 * @param read the fax, once its outcome is known or `seconds` are over
 * @throws {StillUnderWayError} when the time is up
 */
export async function waitFor(
  id: string,
  read: (seconds: number, until: number) => Promise<Fax>,
  { timeout = usualTimeout, signal, onChange }: Waiting,
): Promise<Fax> {
  const until = Date.now() + timeout * 1000
  let last: Fax | undefined
  for (let wait = firstPauseMs; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
    const asked = Date.now()
    const held = Math.max(0, Math.min(longestHeldMs, until - asked))
    const fax = await read(Math.floor(held / 1000), until).catch(async (error: unknown) => {
      if (!(error instanceof GatewayError) || error.status !== tooMany) throw error
      const asked = (error.retryAfterSeconds ?? 1) * 1000
      // There is no room for one more question before the time is up.
      if (Date.now() + asked >= until) throw late(id, last?.status ?? 'queued', timeout)
      await pause(asked, signal)
      return undefined
    })
    if (!fax) continue
    if (fax.status !== last?.status || fax.updated_at !== last.updated_at) onChange?.(fax)
    last = fax
    if (isSettled(fax)) return fax
    const wasHeld = Date.now() - asked >= held - firstPauseMs
    const rest = wasHeld && held > firstPauseMs ? 0 : wait
    if (Date.now() + rest >= until) throw late(id, fax.status, timeout)
    if (rest > 0) await pause(rest, signal)
  }
}
