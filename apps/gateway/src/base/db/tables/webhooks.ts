import type { InboundContent, MessageEvent } from '@faxdeck/contract'

/** A program that is notified of what happens. */
export interface WebhookEndpointRow {
  id: string
  url: string
  description: string | null
  /** Comma separated. */
  events: string
  inbound_content: InboundContent
  /** Sealed. */
  secret: string
  /** Sealed; signs as well until the instant beside it. */
  previous_secret: string | null
  previous_until: string | null
  enabled: number
  disabled_reason: string | null
  /** The key whose faxes it reports on; null for a webhook of the installation. */
  key_id: string | null
  /** When the current series of failed attempts began; null once one succeeds. */
  failing_since: string | null
  created_at: string
}

/** One message to one endpoint. */
export interface WebhookDeliveryRow {
  id: string
  endpoint_id: string
  event: MessageEvent
  subject_id: string
  /** JSON as it is signed and sent. */
  body: string
  state: 'pending' | 'delivered' | 'failed'
  tries: number
  next_try_at: string | null
  last_try_at: string | null
  response_status: number | null
  error: string | null
  /** When it was last replayed together with others. */
  replayed_at: string | null
  created_at: string
}

/** One try of a message. */
export interface WebhookAttemptRow {
  delivery_id: string
  /** Counted from 1, on through replays. */
  n: number
  at: string
  duration_ms: number
  /** Of the answer; null when none came. */
  response_status: number | null
  error: string | null
  /** The first 1,024 bytes of the answer as text; null when it had none. */
  response_body: string | null
}
