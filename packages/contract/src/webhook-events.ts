/** What a webhook may be sent, in the order of a fax's life. */
export const webhookEvents = [
  'fax.queued',
  'fax.sending',
  'fax.delivered',
  'fax.failed',
  'fax.uncertain',
  'inbound.received',
  'inbound.failed',
  'inbound.updated',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]
/** What a message may be about: a test is sent because a person asks, and cannot be chosen. */
export const messageEvents = [...webhookEvents, 'webhook.test'] as const
export type MessageEvent = (typeof messageEvents)[number]
