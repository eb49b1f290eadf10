import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { acquireInbound } from './acquire.ts'
import { expireInbound } from './expire.ts'
import { inboundHandlers } from './routes.ts'
import { inboundWork } from './store.ts'

/** Receives faxes, fetches their documents and keeps them for as long as the settings say. */
export const createInbound = (context: GatewayContext) =>
  ({
    name: 'inbound',
    routes: inboundHandlers(context),
    work: { [inboundWork]: (claim, signal) => acquireInbound(context, claim, signal) },
    expire: (now = context.now) => expireInbound({ ...context, now }),
  }) satisfies Feature
