import type { Labels, MessageEvent, PageCode, WebhookEvent } from '@faxdeck/contract'
import type { AuditEntry } from '../events/facts.ts'

/** What a webhook tells, before it is known to whom. */
export interface Message {
  event: MessageEvent
  subjectId: string
  /** JSON as it is signed and sent. */
  body: string
}

/** The event a webhook tells of, for an entry of the audit trail; undefined for all others. */
function eventOf({ event, state, outcome, status }: AuditEntry): WebhookEvent | undefined {
  switch (event) {
    case 'job_updated':
      return state === 'delivered' || state === 'uncertain' ? `fax.${state}` : undefined
    case 'job_resolved':
      return outcome === 'delivered' || outcome === 'failed' ? `fax.${outcome}` : undefined
    case 'job_failed':
      return 'fax.failed'
    case 'inbound_received':
      return 'inbound.received'
    case 'inbound_failed':
      return 'inbound.failed'
    case 'inbound_fetch_failed':
      return status === 'failed' ? 'inbound.failed' : undefined
    default:
      return undefined
  }
}

/** What is known of a fax beside its entry in the trail, which holds none of it. */
interface MessageFacts {
  /** The codes on its first page. */
  codes?: readonly PageCode[] | undefined
  /** What its sender calls it; of a fax that was sent. */
  labels?: Labels | undefined
}

/**
 * The message about an entry of the audit trail, which holds no document and no full number; undefined when webhooks
 * do not tell of it. The receiver asks for more by id, with a key.
 */
export function messageOf(
  entry: AuditEntry,
  isTest: (backend: string) => boolean,
  { codes, labels }: MessageFacts = {},
): Message | undefined {
  const event = eventOf(entry)
  const {
    job_id: id,
    broadcast_id: broadcast,
    backend,
    error,
    kind,
    pages,
    pages_confirmed: confirmed,
    concern,
    ts,
  } = entry
  if (!event || typeof id !== 'string') return undefined
  const failed = event !== 'fax.delivered' && event !== 'inbound.received'
  const data = {
    id,
    provider: backend,
    ...(broadcast === undefined ? {} : { broadcast_id: broadcast }),
    // What the test line delivered was not sent.
    ...(event.startsWith('fax.') ? { test: typeof backend === 'string' && isTest(backend) } : {}),
    ...(concern === undefined ? {} : { needs_attention: true }),
    ...labels,
    ...(codes === undefined ? {} : { codes }),
    ...(failed ? { error: error ?? null, error_kind: kind ?? null } : { pages: confirmed ?? pages ?? null }),
  }
  return { event, subjectId: id, body: JSON.stringify({ type: event, timestamp: ts, data }) }
}

/** The message that shows a person whether a webhook works. */
export function testMessage(endpointId: string, at: Date): Message {
  const event = 'webhook.test'
  const body = JSON.stringify({ type: event, timestamp: at.toISOString(), data: { id: endpointId } })
  return { event, subjectId: endpointId, body }
}
