import type { Claim } from './queue.ts'

/**
 * Does one piece of work. Resolves with the instant to take it up again, keeping its number and lane,
 * or with nothing when it has settled the work itself. The signal aborts when the lease is lost or the worker must stop.
 */
export type WorkHandler = (claim: Claim, signal: AbortSignal) => Promise<Date | undefined>

export interface Worker {
  start: () => void
  /** Takes nothing new, waits at most `graceMs` for work in hand, then gives back what is left. */
  stop: (graceMs: number) => Promise<void>
  /** Leases lost to other workers since the start. */
  leaseLosses: () => number
}
