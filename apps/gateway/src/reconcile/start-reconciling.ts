import { type ReconcileDoors, sweepProviders } from './sweep-provider.ts'

/** How often we look whether a sweep is due; RECONCILE_MINUTES says how often one is. */
const lookEveryMs = 60_000

/**
 * Compares the lists of providers with our records, now and from time to time, never twice at once.
 * @returns how to stop; resolves when nothing is under way any more
 */
export function startReconciling(doors: ReconcileDoors): () => Promise<void> {
  const stopping = new AbortController()
  let underWay: Promise<void> | undefined
  const look = () => {
    underWay ??= sweepProviders(doors, stopping.signal)
      .catch((error: unknown) =>
        doors.log.warn({ err: error }, 'Providers could not be asked for what our records lack.'),
      )
      .finally(() => (underWay = undefined))
  }
  look()
  const timer = setInterval(look, lookEveryMs).unref()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await underWay
  }
}
