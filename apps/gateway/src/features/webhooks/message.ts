import { type Labels, type MessageEvent, type PageCode, payloadVersion, type WebhookEvent } from '@faxdeck/contract'
import type { AuditEntry } from '../../base/events/facts.ts'
import { sentFaxes } from '../../fax/follow/kinds.ts'
import { receivedFaxes } from '../../inbox/inbound/followed.ts'

/** What a webhook tells, before it is known to whom. */
export interface Message {
  event: MessageEvent
  subjectId: string
  /** When it happened. */
  at: string
  /** JSON as it is signed and sent. */
  body: string
}

/** The event a webhook reports on, for an entry of the audit trail: those of the stream, but for small changes. */
function eventOf(entry: AuditEntry): WebhookEvent | undefined {
  const type = sentFaxes.typeOf(entry) ?? receivedFaxes.typeOf(entry)
  return type === 'fax.updated' ? undefined : type
}

/** What is told of a received fax where its webhook asks for it. */
export interface ReceivedDetails {
  from: string | null
  to: string | null
  group: { id: string; name: string } | null
  received_at: string
}

/** What is known of a fax beside its entry in the trail, which holds none of it. */
interface MessageFacts {
  /** The codes on its first page. */
  codes?: readonly PageCode[] | undefined
  /** What its sender calls it; of a fax that was sent. */
  labels?: Labels | undefined
  /** Of a received fax. */
  details?: ReceivedDetails | undefined
}

function outcomeOf(event: WebhookEvent, { event: entry, error, kind, pages, pages_confirmed, attempt }: AuditEntry) {
  switch (event) {
    case 'fax.queued':
    case 'inbound.updated':
      return {}
    case 'fax.sending':
      return { attempt }
    case 'fax.delivered':
    case 'inbound.received':
      return { pages: pages_confirmed ?? pages ?? null }
    default:
      if (entry === 'job_cancelled') return { error: 'The fax was canceled.', error_kind: 'cancelled' }
      return { error: error ?? null, error_kind: kind ?? null }
  }
}

const bodyOf = (type: MessageEvent, timestamp: string, data: object) =>
  JSON.stringify({ type, version: payloadVersion, timestamp, data })

/** The events of the trail that webhooks report. */
export const reportedEvents = [
  'job_created',
  'job_released',
  'job_dispatch',
  'job_updated',
  'job_resolved',
  'job_failed',
  'job_cancelled',
  'inbound_received',
  'inbound_failed',
  'inbound_fetch_failed',
  'inbound_text_read',
  'inbound_settled',
]

/**
 * The message about an entry of the audit trail, which holds no document, and a full number only of a received fax whose
 * webhook asks for it; undefined when webhooks do not report on it. The receiver asks for more by id, with a key.
 */
export function messageOf(
  entry: AuditEntry,
  isTest: boolean,
  { codes, labels, details }: MessageFacts = {},
): Message | undefined {
  const event = eventOf(entry)
  const { job_id: id, broadcast_id: broadcast, backend, concern, ts } = entry
  if (!event || typeof id !== 'string') return undefined
  const data = {
    id,
    provider: backend,
    ...(broadcast === undefined ? {} : { broadcast_id: broadcast }),
    // What was only a test was not sent, or came from nobody.
    test: isTest,
    ...(concern === undefined || event !== 'inbound.received' ? {} : { needs_attention: true }),
    ...labels,
    ...(codes === undefined ? {} : { codes }),
    ...outcomeOf(event, entry),
    ...details,
  }
  return { event, subjectId: id, at: ts, body: bodyOf(event, ts, data) }
}

/** The message that shows a person whether a webhook works. */
export function testMessage(endpointId: string, at: Date): Message {
  const event = 'webhook.test'
  const timestamp = at.toISOString()
  return { event, subjectId: endpointId, at: timestamp, body: bodyOf(event, timestamp, { id: endpointId }) }
}
