/** Calls `measure` at most once per `everyMs`; in between everybody gets the same answer. A failure is not kept. */
export function measureAtMost<T>(everyMs: number, now: () => number, measure: () => Promise<T>): () => T | Promise<T> {
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
    if (kept && now() < kept.until) return kept.value
    running ??= run()
    return running
  }
}
