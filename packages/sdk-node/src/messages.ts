// Written by `npm run reference` from the rows in packages/contract. Do not edit.

import type { FailureKind, PageCode, ReceivedFaxGroup } from './models.ts'

export interface FaxQueuedMessageData {
  id: string
  provider: string
  test: boolean
  codes?: PageCode[]
  broadcast_id?: string
  reference: string | null
  metadata: Record<string, string>
}

/** A fax was accepted, or released or put back into the queue by a person. */
export interface FaxQueuedMessage {
  type: 'fax.queued'
  version: 1
  timestamp: string
  data: FaxQueuedMessageData
}

export interface FaxSendingMessageData {
  id: string
  provider: string
  test: boolean
  codes?: PageCode[]
  broadcast_id?: string
  reference: string | null
  metadata: Record<string, string>
  attempt: number
}

/** An attempt to send a fax begins. */
export interface FaxSendingMessage {
  type: 'fax.sending'
  version: 1
  timestamp: string
  data: FaxSendingMessageData
}

export interface FaxDeliveredMessageData {
  id: string
  provider: string
  test: boolean
  codes?: PageCode[]
  broadcast_id?: string
  reference: string | null
  metadata: Record<string, string>
  pages: number | null
}

/** The provider, or a person, has confirmed a fax. */
export interface FaxDeliveredMessage {
  type: 'fax.delivered'
  version: 1
  timestamp: string
  data: FaxDeliveredMessageData
}

export interface FaxFailedMessageData {
  id: string
  provider: string
  test: boolean
  codes?: PageCode[]
  broadcast_id?: string
  reference: string | null
  metadata: Record<string, string>
  error: string | null
  error_kind: FailureKind | null
}

/** A fax failed for good, or was canceled. */
export interface FaxFailedMessage {
  type: 'fax.failed'
  version: 1
  timestamp: string
  data: FaxFailedMessageData
}

/** It is unknown whether a fax was accepted. A person decides. */
export interface FaxUncertainMessage {
  type: 'fax.uncertain'
  version: 1
  timestamp: string
  data: FaxFailedMessageData
}

export interface InboundReceivedMessageDataDocument {
  content_type: 'application/pdf'
  url?: string
  expires_at?: string
  content?: string
}

export interface InboundReceivedMessageData {
  id: string
  provider: string
  test: boolean
  codes?: PageCode[]
  needs_attention?: true
  pages: number | null
  from?: string | null
  to?: string | null
  group?: ReceivedFaxGroup | null
  received_at?: string
  document?: InboundReceivedMessageDataDocument
}

/** A received fax is stored and can be read. */
export interface InboundReceivedMessage {
  type: 'inbound.received'
  version: 1
  timestamp: string
  data: InboundReceivedMessageData
}

export interface InboundFailedMessageData {
  id: string
  provider: string
  test: boolean
  codes?: PageCode[]
  error: string | null
  error_kind: FailureKind | null
  from?: string | null
  to?: string | null
  group?: ReceivedFaxGroup | null
  received_at?: string
  document?: InboundReceivedMessageDataDocument
}

/** A fax arrived incomplete, or its document could not be fetched. */
export interface InboundFailedMessage {
  type: 'inbound.failed'
  version: 1
  timestamp: string
  data: InboundFailedMessageData
}

export interface InboundUpdatedMessageData {
  id: string
  provider: string
  test: boolean
  codes?: PageCode[]
  from?: string | null
  to?: string | null
  group?: ReceivedFaxGroup | null
  received_at?: string
  document?: InboundReceivedMessageDataDocument
}

/** The text of a received fax was recognized, or it became clear how it ended. */
export interface InboundUpdatedMessage {
  type: 'inbound.updated'
  version: 1
  timestamp: string
  data: InboundUpdatedMessageData
}

export interface WebhookTestMessageData {
  id: string
}

/** A test was sent. */
export interface WebhookTestMessage {
  type: 'webhook.test'
  version: 1
  timestamp: string
  data: WebhookTestMessageData
}

/**
 * A message of a webhook; `type` says which. A newer gateway may send other types: ignore those that you do not know.
 */
export type WebhookMessage =
  | FaxQueuedMessage
  | FaxSendingMessage
  | FaxDeliveredMessage
  | FaxFailedMessage
  | FaxUncertainMessage
  | InboundReceivedMessage
  | InboundFailedMessage
  | InboundUpdatedMessage
  | WebhookTestMessage
