const everyMs = 3_600_000

/**
 * Removes what is past its time, now and every hour.
 * @param onFailed called when a cleanup failed; the next one tries again
 * @returns how to stop
 */
export function cleanHourly(
  cleanups: readonly (() => Promise<void>)[],
  onFailed: (error: unknown) => void,
): () => void {
  const run = () => {
    for (const one of cleanups) one().catch(onFailed)
  }
  run()
  const timer = setInterval(run, everyMs).unref()
  return () => clearInterval(timer)
}
