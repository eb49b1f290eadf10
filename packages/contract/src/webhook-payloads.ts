import { z } from 'zod'
import { labelsOfFax } from './labels.ts'
import { failureKind } from './routes/faxes/faxes.ts'
import { faxId, groupId, instant, pageCode } from './shapes.ts'
import type { MessageEvent } from './webhook-events.ts'

/** The version of payloads. Within it fields are added, and none is removed or changes its meaning. */
export const payloadVersion = 1

const anyFax = {
  /** Ask for more by it. */
  id: faxId,
  provider: z.string(),
  /** True of what was only a test: on the test line, in an account in test mode, or a simulated fax. */
  test: z.boolean(),
  /** The codes on its first page, where any were read. */
  codes: z.array(pageCode).optional(),
}
const sentFax = {
  ...anyFax,
  /** The broadcast that it belongs to. */
  broadcast_id: faxId.optional(),
  ...labelsOfFax,
}
const failure = {
  error: z.string().nullable(),
  error_kind: failureKind.nullable(),
}
const pages = { pages: z.number().int().nullable() }

/** Of a received fax: what a webhook is sent by its `inbound_content`. */
const details = {
  /** The number that sent it. */
  from: z.string().nullable().optional(),
  /** The number that was called. */
  to: z.string().nullable().optional(),
  /** The group whose number was called. */
  group: z.object({ id: groupId, name: z.string() }).nullable().optional(),
  received_at: instant.optional(),
  /** A link to its document as PDF, or the document itself. Absent where there is none any more. */
  document: z
    .object({
      content_type: z.literal('application/pdf'),
      /** The link, which needs no key. */
      url: z.string().optional(),
      /** When the link stops working. */
      expires_at: instant.optional(),
      /** The document, base64. */
      content: z.string().optional(),
    })
    .optional(),
}

const payload = <const E extends MessageEvent, S extends z.ZodRawShape>(event: E, data: S) =>
  z.object({
    type: z.literal(event),
    version: z.literal(payloadVersion),
    /** When it happened. */
    timestamp: instant,
    data: z.object(data),
  })

/** What is sent about each event. Of a fax that was sent it holds no document and no phone number. */
export const webhookPayloads = {
  'fax.queued': payload('fax.queued', sentFax),
  'fax.sending': payload('fax.sending', {
    ...sentFax,
    /** Counted from 1. */
    attempt: z.number().int(),
  }),
  'fax.delivered': payload('fax.delivered', { ...sentFax, ...pages }),
  'fax.failed': payload('fax.failed', { ...sentFax, ...failure }),
  'fax.uncertain': payload('fax.uncertain', { ...sentFax, ...failure }),
  'inbound.received': payload('inbound.received', {
    ...anyFax,
    /** The provider did not say in known words how it ended: a person should look at it. */
    needs_attention: z.literal(true).optional(),
    ...pages,
    ...details,
  }),
  'inbound.failed': payload('inbound.failed', { ...anyFax, ...failure, ...details }),
  'inbound.updated': payload('inbound.updated', { ...anyFax, ...details }),
  'webhook.test': payload('webhook.test', {
    /** Of the webhook. */
    id: faxId,
  }),
} satisfies Record<MessageEvent, z.ZodType>

/** When each event is sent. */
export const eventSummaries: Record<MessageEvent, string> = {
  'fax.queued': 'A fax was accepted, or released or put back into the queue by a person.',
  'fax.sending': 'An attempt to send a fax begins.',
  'fax.delivered': 'The provider, or a person, has confirmed a fax.',
  'fax.failed': 'A fax failed for good, or was canceled.',
  'fax.uncertain': 'It is unknown whether a fax was accepted. A person decides.',
  'inbound.received': 'A received fax is stored and can be read.',
  'inbound.failed': 'A fax arrived incomplete, or its document could not be fetched.',
  'inbound.updated': 'The text of a received fax was recognized, or it became clear how it ended.',
  'webhook.test': 'A test was sent.',
}

const sent = {
  id: '3f2a9c0b7d5e41868a1c6f0e92b4d7a5',
  provider: 'phaxio',
  test: false,
  reference: 'letter-4711',
  metadata: { ward: '3B' },
}
const received = {
  id: '9b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e',
  provider: 'phaxio',
  test: false,
  from: '+15555550177',
  to: '+15555550100',
  group: { id: '7a1b2c3d4e5f', name: 'Cardiology' },
  received_at: '2026-11-22T18:12:02.000Z',
}
const dataOf = {
  'fax.queued': sent,
  'fax.sending': { ...sent, attempt: 1 },
  'fax.delivered': { ...sent, pages: 2 },
  'fax.failed': { ...sent, error: 'Nobody answered.', error_kind: 'no_answer' },
  'fax.uncertain': { ...sent, error: 'The connection broke during the call.', error_kind: 'uncertain' },
  'inbound.received': { ...received, pages: 3, codes: [{ format: 'QRCode', text: 'PAT-4711' }] },
  'inbound.failed': { ...received, error: 'The document could not be fetched.', error_kind: null },
  'inbound.updated': { ...received, codes: [{ format: 'QRCode', text: 'PAT-4711' }] },
  'webhook.test': { id: '5d4c3b2a190847f6a5b4c3d2e1f00918' },
} satisfies { [E in MessageEvent]: z.input<(typeof webhookPayloads)[E]>['data'] }

/** A message about an event, as the documentation shows it. */
export function examplePayload(event: MessageEvent) {
  return { type: event, version: payloadVersion, timestamp: '2026-11-22T18:12:43.000Z', data: dataOf[event] }
}
