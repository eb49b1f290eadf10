const everyMs = 3_600_000

/**
 * Removes what is past its time, now and every hour.
 * @param onFailed told when a sweep failed; the next one tries again
 * @returns how to stop
 */
export function cleanHourly(sweeps: readonly (() => Promise<void>)[], onFailed: (error: unknown) => void): () => void {
  const sweep = () => {
    for (const one of sweeps) one().catch(onFailed)
  }
  sweep()
  const timer = setInterval(sweep, everyMs).unref()
  return () => clearInterval(timer)
}
