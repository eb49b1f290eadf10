import { setTimeout as pause } from 'node:timers/promises'
import { StillUnderWayError } from './problems.ts'
import type { Fax } from './shapes.ts'

export interface Waiting {
  /** Milliseconds to wait in all; 30 minutes when it is not given. */
  timeout?: number
  signal?: AbortSignal
  /** Called with the fax whenever its state has changed. */
  onChange?: (fax: Fax) => void
}

const usualTimeout = 30 * 60_000
const firstPauseMs = 1000
const longestPauseMs = 15_000

/** Finished, or in the hands of a person. */
const isSettled = (fax: Fax) => fax.status === 'SUCCESS' || fax.status === 'FAILED' || fax.needs_attention

/**
 * Asks until the outcome of a fax is known, more seldom the longer it takes. An uncertain fax is answered as it is,
 * with `needs_attention`: waiting longer would not tell.
 * @throws {StillUnderWayError} when the time is up
 */
export async function waitFor(
  read: (until: number) => Promise<Fax>,
  { timeout = usualTimeout, signal, onChange }: Waiting,
): Promise<Fax> {
  const until = Date.now() + timeout
  let last: string | undefined
  for (let wait = firstPauseMs; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
    const fax = await read(until)
    const state = `${fax.status} ${fax.updated_at}`
    if (state !== last) onChange?.(fax)
    last = state
    if (isSettled(fax)) return fax
    if (Date.now() + wait > until) {
      throw new StillUnderWayError(`Fax ${fax.id} is still ${fax.status} after ${Math.round(timeout / 1000)} s.`)
    }
    await pause(wait, undefined, signal ? { signal } : {})
  }
}
