import { performance } from 'node:perf_hooks'

/** How long the event loop has been at work and how long it has waited, in milliseconds. */
type Use = Record<'active' | 'idle', number>

/** So much of a span at work leaves no time for what comes in. */
const full = 0.9
const spanMs = 200

/** Knows whether the event loop is at work without a pause: then whatever else begins lets everybody wait longer. */
export function watchLoop(read: () => Use = () => performance.eventLoopUtilization()): () => boolean {
  let last = read()
  let isFull = false
  return () => {
    const use = read()
    const active = use.active - last.active
    const span = active + use.idle - last.idle
    if (span < spanMs) return isFull
    last = use
    isFull = active / span > full
    return isFull
  }
}
