const everyMs = 3_600_000

interface Cleaning {
  /** Whether the clock can say what is past its time; nothing is removed otherwise. */
  isClockTrusted: () => Promise<boolean>
  onDistrust: () => void
  /** Called when a cleanup failed; the next one tries again. */
  onFailed: (error: unknown) => void
}

/**
 * Removes what is past its time, now and every hour.
 * @returns how to stop
 */
export function cleanHourly(
  cleanups: readonly (() => Promise<void>)[],
  { isClockTrusted, onDistrust, onFailed }: Cleaning,
): () => void {
  const clean = async () => {
    if (await isClockTrusted()) for (const one of cleanups) one().catch(onFailed)
    else onDistrust()
  }
  const run = () => void clean().catch(onFailed)
  run()
  const timer = setInterval(run, everyMs).unref()
  return () => clearInterval(timer)
}
