import { transactTogether } from '../../base/db/commit-group.ts'
import type { Tx } from '../../base/db/database.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../../base/db/tables/webhooks.ts'
import type { Claim } from '../../base/queue/queue.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { GuardedFetch } from '../../base/outgoing/guarded-fetch.ts'
import { sealNames } from '../../base/settings/seal.ts'
import { webhookFault } from '../../base/outgoing/reach.ts'
import { type Outcome, sendMessage } from '../../base/outgoing/send.ts'
import { bodyToSend } from './document.ts'
import { addAttempt, changeDelivery, changeEndpoint, findDelivery, findEndpoint } from './store.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** How long after a try without success the next one comes; none after the last. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
const longestAsked = 24 * hour

/** What a receiver asked for with Retry-After (RFC 9110, section 10.2.3): seconds or a date; 0 when it is neither. */
function askedMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * second : Date.parse(retryAfter) - now.getTime()
  return ms > 0 ? Math.min(ms, longestAsked) : 0
}

/**
 * When to try again after `tries` tries, never sooner than the receiver asked for; undefined when that was the last.
 */
export function nextTry(tries: number, now: Date, retryAfter: string | null): Date | undefined {
  const pause = pauses[tries - 1]
  if (pause === undefined) return undefined
  return new Date(now.getTime() + Math.max(pause, askedMs(retryAfter, now)))
}

const gone = 410
const longestFailingMs = 5 * 24 * hour

const stopReasons = {
  gone: 'The endpoint answered 410 (gone), so no more deliveries are sent.',
  failing:
    'Every attempt has failed for five days, so no more deliveries are sent. Fix the endpoint, switch the webhook on, and replay what it missed.',
}

/** In the clear: the present secret, and the one before while it still counts. */
function secretsOf(context: GatewayContext, row: WebhookEndpointRow, now: Date): string[] {
  const { secret, previous_secret: previous, previous_until: until } = row
  const both = previous !== null && until !== null && now < new Date(until) ? [secret, previous] : [secret]
  return both.map((sealed) => context.settings.seals.unseal(sealNames.webhook(row.id), sealed))
}

function stopOf(
  endpoint: WebhookEndpointRow,
  { status, error }: Outcome,
  at: Date,
): keyof typeof stopReasons | undefined {
  if (status === gone) return 'gone'
  const { failing_since: since } = endpoint
  const isOver = error !== null && since !== null && at.getTime() - Date.parse(since) >= longestFailingMs
  return isOver ? 'failing' : undefined
}

/** Notes on the endpoint how a try went: since when it fails, and that it is switched off. */
async function judge(context: GatewayContext, tx: Tx, id: string, outcome: Outcome, at: Date): Promise<void> {
  // As it is now: a person may have changed it while the receiver was being asked.
  const endpoint = await findEndpoint(tx, id)
  if (endpoint?.enabled !== 1) return
  const reason = stopOf(endpoint, outcome, at)
  const since = outcome.error === null ? null : (endpoint.failing_since ?? at.toISOString())
  if (reason) {
    await changeEndpoint(tx, id, { enabled: 0, disabled_reason: stopReasons[reason], failing_since: since })
    await context.events.webhookStopped({ webhook: id, reason }, tx)
  } else if (since !== endpoint.failing_since) await changeEndpoint(tx, id, { failing_since: since })
}

async function record(
  context: GatewayContext,
  claim: Claim,
  delivery: WebhookDeliveryRow,
  { outcome, at }: { outcome: Outcome; at: Date },
) {
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
    const { status: response_status, error, body: response_body } = outcome
    const attempt = { delivery_id: delivery.id, at: at.toISOString(), response_status, error, response_body }
    await addAttempt(tx, { ...attempt, duration_ms: Math.max(0, now.getTime() - at.getTime()) })
    await judge(context, tx, delivery.endpoint_id, outcome, now)
    await context.database.signals.notify(tx, 'webhooks')
  })
}

/** Ends work that has nothing to send: the endpoint was removed or switched off, or the message is over. */
async function giveUp(context: GatewayContext, claim: Claim, delivery: WebhookDeliveryRow | undefined): Promise<void> {
  await transactTogether(context.database, async (tx) => {
    await context.queue.complete(tx, claim)
    if (delivery?.state !== 'pending') return
    await changeDelivery(tx, delivery.id, { state: 'failed', next_try_at: null, error: 'The webhook is paused.' })
    await context.database.signals.notify(tx, 'webhooks')
  })
}

async function send(
  context: GatewayContext,
  fetch: GuardedFetch['fetch'],
  { delivery, endpoint, at }: { delivery: WebhookDeliveryRow; endpoint: WebhookEndpointRow; at: Date },
  signal: AbortSignal,
): Promise<Outcome> {
  const body = await bodyToSend(context, delivery, endpoint.inbound_content)
  const { id } = delivery
  return sendMessage(fetch, { id, url: endpoint.url, body, secrets: secretsOf(context, endpoint, at), at }, signal)
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
  const { webhook_allowed_cidrs: allowed } = context.settings.current()
  const fault = webhookFault(endpoint.url, allowed)
  const outcome: Outcome = fault
    ? { status: null, retryAfter: null, error: fault, body: null }
    : await send(context, fetch, { delivery, endpoint, at }, signal)
  // Where webhooks may reach into a network, an ordinary key must not read there.
  const mayRead = endpoint.key_id === null || allowed === null
  await record(context, claim, delivery, { outcome: mayRead ? outcome : { ...outcome, body: null }, at })
}
