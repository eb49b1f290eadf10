import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { guardedFetch } from '../../base/outgoing/guarded-fetch.ts'
import { deliverMessage } from './deliver.ts'
import { gatherMessages } from './gather.ts'
import { mayReceiveWebhooks } from '../../base/outgoing/reach.ts'
import { webhookHandlers } from './routes.ts'
import { listStopped, webhooksGroup } from './checks.ts'
import { holdWebhooks } from './take-back.ts'
import { listEndpoints, removeLostAttempts, removeOldDeliveries, webhookWork } from './store.ts'

const retentionMs = 30 * 24 * 3_600_000
const maxKept = 1000
/** Bytes of an answer that are kept for whoever looks for the fault. */
const answerKept = 1024

async function expireDeliveries({ database, now }: GatewayContext): Promise<void> {
  const before = new Date(now().getTime() - retentionMs).toISOString()
  for (const { id } of await listEndpoints(database.db)) await removeOldDeliveries(database.db, id, before, maxKept)
  await removeLostAttempts(database.db)
}

/** Sends webhooks about faxes to other programs. */
export function createWebhooks(context: GatewayContext) {
  const { settings, events } = context
  const mayReach = (_host: string, address: string) =>
    mayReceiveWebhooks(address, settings.current().webhook_allowed_cidrs)
  const { fetch, close } = guardedFetch({ limit: answerKept, cut: true, mayReach })
  events.onRecording(gatherMessages(context))
  holdWebhooks(context)
  return {
    name: 'webhooks',
    routes: webhookHandlers(context),
    work: { [webhookWork]: (claim, signal) => deliverMessage(context, fetch, claim, signal) },
    expire: (now = context.now) => expireDeliveries({ ...context, now }),
    close,
    checks: webhooksGroup(context),
    /** The webhooks that are off because of their receivers. */
    stopped: () => listStopped(context),
  } satisfies Feature & Record<string, unknown>
}
