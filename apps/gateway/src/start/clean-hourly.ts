import { glanceEveryMs, lookEveryMs } from './cleaning-clock.ts'

const everyMs = 3_600_000

interface Cleaning {
  /** The time that deletions go by. */
  look: () => Promise<number>
  /** Looks if the clock was set. */
  glance: () => Promise<void>
  /** What no clock decides: at once, and every hour. */
  tidying: readonly (() => Promise<void>)[]
  /** Called before each clean-up. */
  prepare: (now: () => Date) => Promise<void>
  /** Removes what is past its time: an hour after the start, and every hour. */
  cleanups: readonly ((now: () => Date) => Promise<void>)[]
  /** Called when a cleanup failed; the next one tries again. */
  onFailed: (error: unknown) => void
}

/**
 * Looks at the clock every minute, and when it was set, and cleans every hour. In the first hour nothing is removed: who has just started a
 * gateway, perhaps on a machine whose clock is not set yet, shall be able to stop it.
 * @returns how to stop
 */
export function cleanHourly({ look, glance, tidying, prepare, cleanups, onFailed }: Cleaning): () => Promise<void> {
  const tidy = () => {
    for (const one of tidying) one().catch(onFailed)
  }
  const clean = async () => {
    const at = new Date(await look())
    const now = () => at
    await prepare(now)
    for (const one of cleanups) one(now).catch(onFailed)
  }
  tidy()
  void look().catch(onFailed)
  const timers = [
    setInterval(() => void look().catch(onFailed), lookEveryMs),
    setInterval(() => void glance().catch(onFailed), glanceEveryMs),
    setInterval(() => {
      tidy()
      void clean().catch(onFailed)
    }, everyMs),
  ]
  for (const timer of timers) timer.unref()
  return async () => {
    for (const timer of timers) clearInterval(timer)
    // What has passed until now counts at the next start.
    await look().catch(onFailed)
  }
}
