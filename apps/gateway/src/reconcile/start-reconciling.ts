import { type ReconcileDoors, sweepProviders } from './sweep-provider.ts'

interface StartDoors extends ReconcileDoors {
  /** Asks what is known of faxes that are held since a restore. */
  lookUpHeld: (signal: AbortSignal) => Promise<void>
}

/** How often we look whether a sweep is due; RECONCILE_MINUTES says how often one is. */
const lookEveryMs = 60_000

/** What failed is tried again at the next look. */
async function lookAtBoth(doors: StartDoors, signal: AbortSignal): Promise<void> {
  const failed = (error: unknown) => {
    if (!signal.aborted) doors.log.warn({ err: error }, 'Providers could not be asked for what our records lack.')
  }
  await doors.lookUpHeld(signal).catch(failed)
  await sweepProviders(doors, signal).catch(failed)
}

/**
 * Compares the lists of providers with our records, now and from time to time, never twice at once.
 * @returns how to stop; resolves when nothing is under way any more
 */
export function startReconciling(doors: StartDoors): () => Promise<void> {
  const stopping = new AbortController()
  let underWay: Promise<void> | undefined
  const look = () => {
    underWay ??= lookAtBoth(doors, stopping.signal).finally(() => (underWay = undefined))
  }
  look()
  const timer = setInterval(look, lookEveryMs).unref()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await underWay
  }
}
