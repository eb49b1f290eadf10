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
/**
 * What a webhook is sent of a received fax: `id`, nothing by which a person could be known; `details`, also its numbers,
 * group and time; `link`, also a link to its document that works for an hour; `document`, also the PDF as base64, or a
 * link where it is larger than 5 MB.
 */
export const inboundContents = ['id', 'details', 'link', 'document'] as const
/** What a message may be about: a test is sent because a person asks, and cannot be chosen. */
export const messageEvents = [...webhookEvents, 'webhook.test'] as const
export type MessageEvent = (typeof messageEvents)[number]
