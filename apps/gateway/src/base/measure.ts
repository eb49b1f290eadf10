/**
 * Calls `measure` at most once per `everyMs`; in between everybody gets the same answer. A failure is not kept.
 * @param aheadMs so long before its end, who asks lets the next measurement begin and is answered without it: those who ask often never wait
 */
export function measureWithLimit<T>(
  everyMs: number,
  now: () => number,
  measure: () => Promise<T>,
  aheadMs = 0,
): () => T | Promise<T> {
  let kept: { value: T; until: number } | undefined
  let running: Promise<T> | undefined
  const run = async () => {
    try {
      const value = await measure()
      kept = { value, until: now() + everyMs }
      return value
    } finally {
      running = undefined
    }
  }
  return () => {
    const left = kept ? kept.until - now() : 0
    if (!kept || left <= 0) return (running ??= run())
    // If it fails, the next caller measures again and gets the error.
    if (left <= aheadMs) (running ??= run()).catch(() => undefined)
    return kept.value
  }
}
