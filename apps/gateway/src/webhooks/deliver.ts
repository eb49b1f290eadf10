import { transactTogether } from '../db/commit-group.ts'
import type { Tx } from '../db/database.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../db/tables/tables.ts'
import type { Claim } from '../queue/queue.ts'
import type { GatewayContext } from '../context.ts'
import type { GuardedFetch } from '../providers/guarded-fetch.ts'
import { webhookFault } from './reach.ts'
import { nextTry } from './schedule.ts'
import { type Outcome, sendMessage } from './send.ts'
import { changeDelivery, changeEndpoint, findDelivery, findEndpoint, sealName } from './store.ts'

const gone = 410
const stoppedReason = 'The endpoint answered 410 (gone), so no more deliveries are sent.'

/** In the clear: the present secret, and the one before while it still counts. */
function secretsOf(context: GatewayContext, row: WebhookEndpointRow, now: Date): string[] {
  const { secret, previous_secret: previous, previous_until: until } = row
  const both = previous !== null && until !== null && now < new Date(until) ? [secret, previous] : [secret]
  return both.map((sealed) => context.settings.seals.unseal(sealName(row.id), sealed))
}

async function stop(context: GatewayContext, tx: Tx, id: string): Promise<void> {
  await changeEndpoint(tx, id, { enabled: 0, disabled_reason: stoppedReason })
  await context.events.webhookStopped({ webhook: id }, tx)
}

async function record(context: GatewayContext, claim: Claim, delivery: WebhookDeliveryRow, outcome: Outcome) {
  const now = context.now()
  const tries = delivery.tries + 1
  // A test answers a person who is looking: nobody waits a day for it.
  const over = outcome.error === null || outcome.status === gone || delivery.event === 'webhook.test'
  const again = over ? undefined : nextTry(tries, now, outcome.retryAfter)
  const state = outcome.error === null ? 'delivered' : again ? 'pending' : 'failed'
  await transactTogether(context.database, async (tx) => {
    if (again) await context.queue.reschedule(tx, claim, { dueAt: again, hold: false })
    else await context.queue.complete(tx, claim)
    await changeDelivery(tx, delivery.id, {
      state,
      tries,
      next_try_at: again?.toISOString() ?? null,
      last_try_at: now.toISOString(),
      response_status: outcome.status,
      error: outcome.error,
    })
    if (outcome.status === gone) await stop(context, tx, delivery.endpoint_id)
    await context.database.signals.tell(tx, 'webhooks')
  })
}

/** Ends work that has nothing to send: the endpoint was removed or switched off, or the message is over. */
async function giveUp(context: GatewayContext, claim: Claim, delivery: WebhookDeliveryRow | undefined): Promise<void> {
  await transactTogether(context.database, async (tx) => {
    await context.queue.complete(tx, claim)
    if (delivery?.state !== 'pending') return
    await changeDelivery(tx, delivery.id, { state: 'failed', next_try_at: null, error: 'The webhook is paused.' })
    await context.database.signals.tell(tx, 'webhooks')
  })
}

/**
 * Makes one try of one message. What was sent and not yet recorded is sent again after a crash, under the same id:
 * receivers leave out what they have seen.
 */
export async function deliverMessage(
  context: GatewayContext,
  fetch: GuardedFetch['fetch'],
  claim: Claim,
  signal: AbortSignal,
): Promise<undefined> {
  const { db } = context.database
  const delivery = await findDelivery(db, claim.subjectId)
  const endpoint = delivery && (await findEndpoint(db, delivery.endpoint_id))
  if (delivery?.state !== 'pending' || endpoint?.enabled !== 1)
    return giveUp(context, claim, delivery).then(() => undefined)
  const at = context.now()
  const { id, body } = delivery
  const fault = webhookFault(endpoint.url, context.settings.current().webhook_allowed_cidrs)
  const outcome: Outcome = fault
    ? { status: null, retryAfter: null, error: fault }
    : await sendMessage(fetch, { id, url: endpoint.url, body, secrets: secretsOf(context, endpoint, at), at }, signal)
  await record(context, claim, delivery, outcome)
}
