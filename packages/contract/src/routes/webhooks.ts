import { z } from 'zod'
import { del, get, post, put, type RouteRow } from '../route.ts'
import { anyOf, anything, byId, givenName, instant } from '../shapes.ts'
import { inboundContents, messageEvents, webhookEvents } from '../webhook-events.ts'

const inboundContent = z.enum(inboundContents)
export type InboundContent = z.infer<typeof inboundContent>

/** Where messages go, and about what. */
export const webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(webhookEvents)),
  inbound_content: inboundContent,
  enabled: z.boolean(),
  /** Why it was switched off without a person; null otherwise. */
  disabled_reason: z.string().nullable(),
  /** When the first of the tries was made that have all failed since. After five days it is switched off. */
  failing_since: instant.nullable(),
  /** Until when messages are signed with the secret before as well. */
  previous_secret_until: instant.nullable(),
  /** The key it belongs to: it only reports on what that key sees. Null for one of the installation, which reports on all. */
  key_id: z.string().nullable(),
  created_at: instant,
})
export type Webhook = z.infer<typeof webhook>
/** A new webhook, or one with a new secret: no other answer contains it. */
export const withSecret = webhook.extend({ secret: z.string() })

const deliveryState = z.enum(['pending', 'delivered', 'failed'])
export type DeliveryState = z.infer<typeof deliveryState>

/** One message to a webhook, and what became of it. */
export const delivery = z.object({
  /** The `webhook-id` of the message, the same at every try. */
  id: z.string(),
  webhook_id: z.string(),
  event: z.enum(messageEvents),
  /** The job or received fax it reports on; of a test, the webhook itself. */
  subject_id: z.string(),
  state: deliveryState,
  tries: z.number().int(),
  next_try_at: instant.nullable(),
  last_try_at: instant.nullable(),
  /** Of the last answer; null when none came. */
  response_status: z.number().int().nullable(),
  error: z.string().nullable(),
  /** The JSON as it is signed and sent, without the link or document that is added at each try. */
  payload: z.string(),
  created_at: instant,
  /** Give it as `cursor` to get the messages that follow this one. */
  cursor: z.string(),
})
export type WebhookDelivery = z.infer<typeof delivery>

export const attempt = z.object({
  at: instant,
  duration_ms: z.number().int(),
  /** Of the answer; null when none came. */
  response_status: z.number().int().nullable(),
  error: z.string().nullable(),
  /** The first 1,024 bytes of the answer as text; null when it had none. */
  response_body: z.string().nullable(),
})
/** A delivery with each try. */
export const detailedDelivery = delivery.extend({
  /** The last 20 tries, oldest first. */
  attempts: z.array(attempt),
})
export type DetailedDelivery = z.infer<typeof detailedDelivery>

/** What a replay put on its way. */
export const replayed = z.object({
  /** From when on: the time that was given, or 30 days ago, when messages begin to be removed. */
  since: instant,
  /** Messages that were put on their way. */
  queued: z.number().int(),
  /** Messages that are on their way already, or were replayed less than ten minutes ago. */
  skipped: z.number().int(),
  /** Give it as `since` to go on: 1,000 messages are replayed by one call. Null when that was all. */
  next_since: instant.nullable(),
})

const listedWebhook = webhook.extend({
  /** The newest message; null when there was none, or none is kept. */
  last_delivery: delivery.nullable(),
})
export type ListedWebhook = z.infer<typeof listedWebhook>

const messageId = /^msg_[0-9a-f]{32}$/
const cursor = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\.msg_[0-9a-f]{32}$/

const wanted = {
  url: z.url({ protocol: /^https?$/, error: 'Give an address that begins with https://.' }).max(2000),
  description: givenName(200).nullable().optional(),
  events: z.array(z.enum(webhookEvents)).min(1),
}
const wantedContent = inboundContent.default('details')
const ofMessage = z.object({ id: z.string().regex(messageId, 'The id of a message is msg_ and 32 hex characters.') })

/** Outbound webhooks: programs that are notified when something happens to a fax. */
export const webhookRoutes = {
  listWebhooks: get('/admin/webhooks', 'manage_webhooks', {
    summary: 'The webhooks, oldest first.',
    failure: 'Failed to fetch webhooks',
    reply: z.array(listedWebhook),
  }),
  createWebhook: post('/admin/webhooks', 'manage_webhooks', {
    confirm: true,
    summary: 'Add a webhook. Only this answer contains its secret.',
    failure: 'Failed to add the webhook',
    audits: ['webhook_created'],
    body: z.strictObject({ ...wanted, inbound_content: wantedContent }),
    reply: withSecret,
    status: 201,
  }),
  updateWebhook: put('/admin/webhooks/:id', 'manage_webhooks', {
    confirm: true,
    summary: 'Change a webhook, or switch it off and on.',
    failure: 'Failed to change the webhook',
    audits: ['webhook_updated'],
    params: byId,
    body: z.strictObject({ ...wanted, inbound_content: inboundContent, enabled: z.boolean() }).partial(),
    reply: webhook,
  }),
  removeWebhook: del('/admin/webhooks/:id', 'manage_webhooks', {
    summary: 'Remove a webhook and the record of its deliveries.',
    failure: 'Failed to remove the webhook',
    audits: ['webhook_removed'],
    params: byId,
    reply: z.object({ status: z.literal('ok') }),
  }),
  rotateWebhookSecret: post('/admin/webhooks/:id/rotate', 'manage_webhooks', {
    confirm: true,
    summary: 'Create a new secret. Deliveries are also signed with the previous one for the given number of hours.',
    failure: 'Failed to rotate the secret',
    audits: ['webhook_rotated'],
    params: byId,
    body: z.strictObject({ keep_hours: z.number().int().min(0).max(168).default(24) }),
    reply: withSecret,
  }),
  testWebhook: post('/admin/webhooks/:id/test', 'manage_webhooks', {
    summary: 'Send a test delivery of the event webhook.test. It is not retried.',
    failure: 'Failed to send a test',
    audits: ['webhook_tested'],
    params: byId,
    reply: delivery,
    status: 202,
  }),
  listWebhookDeliveries: get('/admin/webhooks/:id/deliveries', 'manage_webhooks', {
    summary: 'Deliveries to a webhook and their outcomes, newest first.',
    failure: 'Failed to fetch deliveries',
    params: byId,
    query: z.object({
      /** One or several, separated by commas or repeated. */
      state: anyOf(deliveryState.options).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z
        .string()
        .regex(cursor, 'This cursor does not belong to this list. Start again without a cursor.')
        .optional(),
    }),
    reply: z.array(delivery),
  }),
  replayWebhookDelivery: post('/admin/webhook-deliveries/:id/replay', 'manage_webhooks', {
    summary: 'Replay a delivery, with the same webhook-id.',
    failure: 'Failed to send the message again',
    audits: ['webhook_replayed'],
    params: ofMessage,
    reply: delivery,
  }),
  getWebhookDelivery: get('/admin/webhook-deliveries/:id', 'manage_webhooks', {
    summary: 'One delivery with each attempt: when it was made, how long it took, and what was answered.',
    failure: 'Failed to fetch the delivery',
    params: ofMessage,
    reply: detailedDelivery,
  }),
  replayWebhook: post('/admin/webhooks/:id/replay', 'manage_webhooks', {
    summary:
      'Replay everything since a time, with the same webhook-ids, including what was not sent because the webhook was off. At most 1,000 deliveries per call, five per second. Repeating a call sends nothing twice.',
    failure: 'Failed to send the messages again',
    audits: ['webhook_replayed_since'],
    params: byId,
    body: z.strictObject({
      since: z.iso.datetime({ offset: true }),
      /** `failed` leaves out what was delivered. */
      messages: z.enum(['all', 'failed']).default('all'),
    }),
    reply: replayed,
    status: 202,
  }),
}

const own = { zone: 'public', rate: 'fax_read' } as const

/** A call of an administrator, for a key and its own webhooks. */
const ownRoute = <const R extends RouteRow, const P extends string>(
  { path: _path, permission: _permission, ...row }: R,
  path: P,
) => ({ ...row, ...own, path, permission: 'own_webhooks' }) as const

/** The same for programs: a key manages the webhooks that it added, and they only report on what it sees. */
export const ownWebhookRoutes = {
  listWebhookEvents: get('/webhook-events', 'own_webhooks', {
    ...own,
    summary: 'The events that a webhook can receive, each with the JSON Schema of its payload and an example.',
    failure: 'Failed to fetch webhook events',
    reply: z.array(
      z.object({
        event: z.enum(messageEvents),
        summary: z.string(),
        /** The `version` of its messages. */
        version: z.number().int(),
        /** JSON Schema 2020-12. */
        schema: anything,
        example: anything,
      }),
    ),
  }),
  listOwnWebhooks: {
    ...ownRoute(webhookRoutes.listWebhooks, '/webhooks'),
    summary: 'The webhooks of this key, oldest first; all webhooks for an administrator key.',
  },
  createOwnWebhook: {
    ...ownRoute(webhookRoutes.createWebhook, '/webhooks'),
    summary:
      'Add a webhook for this key. It reports on the faxes that the key sees, and on received faxes if the key may list them. Only this answer contains its secret.',
  },
  updateOwnWebhook: ownRoute(webhookRoutes.updateWebhook, '/webhooks/:id'),
  removeOwnWebhook: ownRoute(webhookRoutes.removeWebhook, '/webhooks/:id'),
  rotateOwnWebhookSecret: ownRoute(webhookRoutes.rotateWebhookSecret, '/webhooks/:id/rotate'),
  testOwnWebhook: ownRoute(webhookRoutes.testWebhook, '/webhooks/:id/test'),
  listOwnWebhookDeliveries: ownRoute(webhookRoutes.listWebhookDeliveries, '/webhooks/:id/deliveries'),
  getOwnWebhookDelivery: ownRoute(webhookRoutes.getWebhookDelivery, '/webhook-deliveries/:id'),
  replayOwnWebhook: ownRoute(webhookRoutes.replayWebhook, '/webhooks/:id/replay'),
  replayOwnWebhookDelivery: ownRoute(webhookRoutes.replayWebhookDelivery, '/webhook-deliveries/:id/replay'),
}
