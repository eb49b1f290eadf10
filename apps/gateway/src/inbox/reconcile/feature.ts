import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { lookUpHeld } from '../../fax/line/look-up-held.ts'
import { report } from '../../fax/line/report.ts'
import { receiveFax } from '../inbound/receive.ts'
import { type Recorder, reconcileProviders } from './reconcile-provider.ts'

/** How often we look whether a comparison is due; RECONCILE_MINUTES says how often one is. */
const lookEveryMs = 60_000

/** What failed is tried again at the next look. */
async function lookAtBoth(context: GatewayContext, signal: AbortSignal, isStart: boolean): Promise<void> {
  const failed = (error: unknown) => {
    if (!signal.aborted) context.log.warn({ err: error }, 'Reconciliation with the providers failed.')
  }
  const record: Recorder = {
    report: (provider, update, account) => report(context, provider, update, { account }),
    receive: (provider, fax) => receiveFax(context, provider, fax),
  }
  await lookUpHeld(context, signal).catch(failed)
  await reconcileProviders(context, record, signal, isStart).catch(failed)
}

/** Compares the lists of providers with our records, now and from time to time, never twice at once. */
export const createReconciliation = (context: GatewayContext) =>
  ({
    name: 'reconciliation',
    start: () => {
      const stopping = new AbortController()
      let underWay: Promise<void> | undefined
      const look = (isStart = false) => {
        underWay ??= lookAtBoth(context, stopping.signal, isStart).finally(() => (underWay = undefined))
      }
      look(true)
      const timer = setInterval(() => look(), lookEveryMs).unref()
      return async () => {
        clearInterval(timer)
        stopping.abort()
        await underWay
      }
    },
  }) satisfies Feature
