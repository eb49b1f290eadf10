import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { acquireInbound } from './acquire.ts'
import { inboundHandlers } from './routes.ts'
import { receivedHandlers } from './received.ts'
import { inboundWork, listExpired } from './store.ts'
import { finishRemovals } from '../../paper/retention/removals.ts'
import { overdueBy } from '../../paper/retention/rules.ts'
import { partFromDocuments } from './remove-document.ts'

const atOnce = 100

/** Removes the documents of faxes that are past their time; their details stay. */
export async function expireInbound(context: GatewayContext): Promise<void> {
  for (const rule of await overdueBy(context, 'received')) {
    for (;;) {
      const faxes = await listExpired(context.database.db, rule, atOnce)
      const why = { reason: 'retention', days: rule.days, rule_group: rule.group } as const
      for (const fax of faxes) await partFromDocuments(context, fax, why)
      await finishRemovals(context)
      if (faxes.length < atOnce) break
    }
  }
}

/** Receives faxes, fetches their documents and keeps them for as long as the settings say. */
export const createInbound = (context: GatewayContext) =>
  ({
    name: 'inbound',
    routes: { ...inboundHandlers(context), ...receivedHandlers(context) },
    work: { [inboundWork]: (claim, signal) => acquireInbound(context, claim, signal) },
    expire: (now = context.now) => expireInbound({ ...context, now }),
  }) satisfies Feature
