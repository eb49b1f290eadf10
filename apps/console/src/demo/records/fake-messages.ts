import type { DetailedDelivery, LogEntry, MessageEvent, WebhookDelivery, WebhookEvent } from '@faxdeck/contract'
import { instantOf, type FakeWebhook, type World } from '../world.ts'

/** Seconds between a try without success and the next one. */
const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
const gone = 410

/** The webhook event for an entry of the audit trail. */
function eventOf({ event, state }: LogEntry): WebhookEvent | undefined {
  if (event === 'job_updated') return state === 'delivered' || state === 'uncertain' ? `fax.${state}` : undefined
  if (event === 'job_failed') return 'fax.failed'
  if (event === 'inbound_received') return 'inbound.received'
  return undefined
}

/** Puts a message to one webhook on its way. */
export function addMessage(
  world: World,
  hook: FakeWebhook,
  { event, subject, data }: { event: MessageEvent; subject: string; data: object },
  at = world.now(),
): WebhookDelivery {
  const id = `msg_${world.nextId()}`
  const created = instantOf(at)
  const message: WebhookDelivery = {
    id,
    webhook_id: hook.webhook.id,
    event,
    subject_id: subject,
    state: 'pending',
    tries: 0,
    next_try_at: created,
    last_try_at: null,
    response_status: null,
    error: null,
    payload: JSON.stringify({ type: event, version: 1, timestamp: created, data }),
    created_at: created,
    cursor: `${created}.${id}`,
  }
  hook.messages.unshift(message)
  return message
}

/** Queues what has just been recorded for the webhooks that subscribe to it. */
export function notifyWebhooks(world: World, entry: LogEntry): void {
  const event = eventOf(entry)
  const { job_id: id, backend, error } = entry
  if (!event || !id) return
  const failed = event === 'fax.failed' || event === 'fax.uncertain'
  const data = { id, provider: backend, ...(failed ? { error: error ?? null } : { pages: 1 }) }
  for (const hook of world.webhooks) {
    const { enabled, events, created_at } = hook.webhook
    if (enabled && events.includes(event) && created_at <= entry.ts)
      addMessage(world, hook, { event, subject: id, data }, Date.parse(entry.ts))
  }
}

function tryOnce(hook: FakeWebhook, message: WebhookDelivery, at: number): void {
  const { webhook, answers } = hook
  const taken = answers !== null && answers < 300
  const pause = message.event === 'webhook.test' || answers === gone ? undefined : pauses[message.tries]
  const again = taken || pause === undefined ? undefined : at + pause * 1000
  const sentence = answers === null ? 'No response within 15 seconds.' : `The endpoint answered ${answers}.`
  message.tries += 1
  message.last_try_at = instantOf(at)
  message.next_try_at = again === undefined ? null : instantOf(again)
  message.response_status = answers
  message.error = taken ? null : sentence
  webhook.failing_since = taken ? null : (webhook.failing_since ?? instantOf(at))
  message.state = taken ? 'delivered' : again === undefined ? 'failed' : 'pending'
  if (answers !== gone) return
  webhook.enabled = false
  webhook.disabled_reason = 'The endpoint answered 410 (gone), so no more deliveries are sent.'
  // It was not sent what happened later.
  hook.messages = hook.messages.filter(({ created_at: created }) => created <= instantOf(at))
}

/** The tries of a message, as the schedule made them. */
export function attemptsOf({ tries, last_try_at: last, ...message }: WebhookDelivery): DetailedDelivery['attempts'] {
  const { response_status, error } = message
  const pausesAfter = (n: number) => pauses.slice(n, tries - 1).reduce((sum, pause) => sum + pause, 0)
  return Array.from({ length: last === null ? 0 : tries }, (_, n) => ({
    at: instantOf(Date.parse(last ?? '') - pausesAfter(n) * 1000),
    duration_ms: response_status === null ? 15_000 : 120 + 40 * n,
    response_status,
    error,
    response_body: response_status === null || response_status === 204 ? null : '{"message":"upstream not available"}',
  }))
}

/** Makes every try that is due. */
export function deliverMessages(world: World): void {
  for (const hook of world.webhooks) {
    hook.messages.sort((a, b) => b.cursor.localeCompare(a.cursor))
    for (const message of hook.messages.toReversed()) {
      while (message.next_try_at !== null && Date.parse(message.next_try_at) + 500 <= world.now()) {
        if (hook.webhook.enabled) tryOnce(hook, message, Date.parse(message.next_try_at) + 300)
        else Object.assign(message, { state: 'failed', next_try_at: null, error: 'The webhook is paused.' })
      }
    }
  }
}
