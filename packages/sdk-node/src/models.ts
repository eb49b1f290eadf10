// Written by `npm run reference` from the rows in packages/contract. Do not edit.

/** `SUCCESS` only when the provider confirmed the fax. */
export type FaxStatus = 'queued' | 'in_progress' | 'SUCCESS' | 'FAILED'

/** Why a fax, or one attempt at it, did not arrive. */
export type FailureKind =
  | 'busy'
  | 'no_answer'
  | 'line_error'
  | 'unreachable'
  | 'rate_limited'
  | 'rejected'
  | 'bad_number'
  | 'bad_credentials'
  | 'bad_document'
  | 'partial'
  | 'uncertain'
  | 'cancelled'

/** `fax.updated` is every other change, such as another attempt that is planned. */
export type FaxEventType =
  'fax.queued' | 'fax.sending' | 'fax.updated' | 'fax.delivered' | 'fax.failed' | 'fax.uncertain'

/** What a webhook can report. */
export type WebhookEvent =
  | 'fax.queued'
  | 'fax.sending'
  | 'fax.delivered'
  | 'fax.failed'
  | 'fax.uncertain'
  | 'inbound.received'
  | 'inbound.failed'
  | 'inbound.updated'

/** What a delivery can report: an event, or that somebody tests the webhook. */
export type DeliveryEvent =
  | 'fax.queued'
  | 'fax.sending'
  | 'fax.delivered'
  | 'fax.failed'
  | 'fax.uncertain'
  | 'inbound.received'
  | 'inbound.failed'
  | 'inbound.updated'
  | 'webhook.test'

/** A place on a page, in shares of its width and height. */
export interface Place {
  left: number
  top: number
  width: number
  height: number
}

/** What the check of a page found. */
export interface PageNote {
  /** Counted from 1. */
  page: number
  kind: 'missing_letters' | 'lost_writing' | 'blank_page' | 'shrunk' | 'split' | 'repaired' | 'left_out' | 'tidied'
  sentence: string
  /** Where, in shares of the page's width and height; empty when it is the whole page. */
  places: Place[]
}

/** A barcode or matrix code on the first page. */
export interface PageCode {
  /** Its kind: `QRCode`, `Code128`, `DataMatrix`, `PDF417`, `EAN13` and others. */
  format: string
  text: string
}

export interface HeldFaxFound {
  provider: string
  at: string
  state: 'queued' | 'in_progress' | 'delivered' | 'failed'
}

/** Why a fax is held after a restore, and what the providers say about it. */
export interface HeldFax {
  since: string
  /** The time our records are of: what happened after it is not in them. */
  as_of: string
  /** When providers were last asked; null before the first time. */
  asked_at: string | null
  sentence: string
  /** Faxes to its number that a provider lists and our records lack, oldest first. */
  found: HeldFaxFound[]
}

export interface CallRecordSpeed {
  bps: number
  after_page?: number
}

export interface CallRecordStep {
  step: 'dialed' | 'answered' | 'agreed' | 'page' | 'ended'
  at: string
  page?: number
}

/** What a telephone engine reported of a call. What it did not report is absent. */
export interface CallRecord {
  /** How the fax traveled: as sound, or as data (T.38). */
  transport?: 'audio' | 't38'
  /** Of the sound, as the engine spells it. */
  codec?: string
  /** What the other machine calls itself (CSID or TSI). Anybody can write anything there. */
  station?: string
  /** Whether errors were corrected (ECM). */
  ecm?: boolean
  /** The speed that was agreed on, and each that took its place, in bits per second. */
  speeds?: CallRecordSpeed[]
  /** Damaged rows of a received fax. */
  bad_rows?: number
  /** Confirmed ones. */
  pages?: number
  /** Why the call ended (ITU-T Q.850). */
  cause?: number
  /** The last answer of SIP: `486 Busy Here`. */
  sip?: string
  /** Of the sound that came in. */
  jitter_ms?: number
  /** Packets of sound that should have come in and did not. */
  lost_packets?: number
  /** How far the call had come, and when: `agreed` ends phase B of T.30, `page` is the confirmation of one. */
  steps?: CallRecordStep[]
}

/** How the faxes of a broadcast stand; each is counted once. */
export interface BroadcastCounts {
  queued: number
  /** Being prepared or sent, or waiting for another attempt. */
  in_progress: number
  delivered: number
  /** Every attempt failed, and nothing of it arrived. */
  failed: number
  cancelled: number
  /** It is unknown whether it arrived, or only a part of it did: a person decides. */
  unconfirmed: number
}

export interface SkippedRow {
  /** The line of the list, or the entry of a JSON array, from 1. */
  row: number
  text: string
  reason: string
}

/** A fax as its sender sees it. Numbers are not masked: the sender gave them. */
export interface Fax {
  id: string
  to: string
  status: FaxStatus
  error: string | null
  error_kind: FailureKind | null
  needs_attention: boolean
  /** Not null while nothing is sent until a person releases the fax. */
  held: HeldFax | null
  /** The provider that it waits for, by name, while nothing is sent to that one; null otherwise. */
  waiting_for: string | null
  /** When the next attempt begins; null unless it waits for one. */
  next_try_at: string | null
  pages: number | null
  cover: 'plain' | 'formal' | 'confidential' | null
  /**
   * What the check of its pages found, once they were drawn here; empty when all writing can be read, and of a fax
   * whose provider draws the pages itself, which nobody here has checked.
   */
  page_notes: PageNote[]
  /** The codes on its first page; empty until they were looked for, and once the document was removed. */
  codes: PageCode[]
  pages_confirmed: number | null
  backend: string
  /** True on the test line and in an account in test mode: no fax is sent, and SUCCESS means that the test passed. */
  test: boolean
  provider_sid: string | null
  reference: string | null
  metadata: Record<string, string>
  /** The broadcast that it belongs to; null for a fax that was sent by itself. */
  broadcast_id: string | null
  created_at: string
  updated_at: string
  /** What this key can do with the fax now; only `GET /fax/{id}` says it. */
  actions?: ('cancel' | 'resend')[]
}

export interface InboundFax {
  id: string
  fr: string | null
  to: string | null
  status: 'waiting' | 'received' | 'failed'
  backend: string
  provider_sid: string
  pages: number | null
  size_bytes: number | null
  sha256: string | null
  /** Why it failed, or why its document is not here yet. */
  error: string | null
  /** Why a person should look at it: the provider did not say in known words how it ended. */
  concern: string | null
  /** With a concern: what the provider said, at most 8 kB, without secrets. */
  notice: string | null
  /** What there is to know of its pages: damaged rows that were repaired, and what was tidied. */
  page_notes: PageNote[]
  /** There is a concern, or pages of a call that broke off are kept, and nobody has marked the fax as read. */
  needs_attention: boolean
  /** The codes on its first page; empty when it has none, and once the document was removed. */
  codes: PageCode[]
  /** What its call did; null if no telephone engine reported it. */
  call: CallRecord | null
  is_test: boolean
  /** The group whose number was called; null if there is none. */
  group_id: string | null
  read_at: string | null
  document_kept: boolean
  /** The document is not in the storage although it was not removed, as far as that is known. */
  document_missing: boolean
  next_try_at: string | null
  received_at: string
  created_at: string
  updated_at: string
  /** Give it as `cursor` to get the faxes that follow this one. */
  cursor: string
}

export interface ReceivedFaxGroup {
  id: string
  name: string
}

export interface ReceivedFaxLinks {
  self: string
  document: string | null
}

/** A received fax as a program sees it. */
export interface ReceivedFax {
  id: string
  to: string | null
  status: 'waiting' | 'received' | 'failed'
  backend: string
  provider_sid: string
  pages: number | null
  size_bytes: number | null
  sha256: string | null
  error: string | null
  concern: string | null
  notice: string | null
  page_notes: PageNote[]
  needs_attention: boolean
  codes: PageCode[]
  call: CallRecord | null
  read_at: string | null
  document_kept: boolean
  document_missing: boolean
  next_try_at: string | null
  received_at: string
  created_at: string
  updated_at: string
  /** The number that sent it, as the line reported it. */
  from: string | null
  /** True of a simulated fax, which nobody sent. */
  test: boolean
  /** The group whose number was called; null if there is none. */
  group: ReceivedFaxGroup | null
  /** Give it as `cursor` with `order=oldest` to get what arrived after this fax. Null while it is `waiting`. */
  cursor: string | null
  /** Paths of this gateway. The document is null until it is here, and once it was removed. */
  links: ReceivedFaxLinks
}

/** What a fax will take on the line, before it is sent. */
export interface Quote {
  pages: number
  /** Of each page as the line carries it. */
  bytes_per_page: number[]
  /** Predicted length of the call at 14,400 bit/s. */
  seconds: number
  seconds_at_33600: number
  /** Begun minutes of `seconds`. */
  minutes: number
  /**
   * Pages on which writing is lost, or that come out blank, as Faxdeck draws them; empty when all writing can be read.
   */
  page_notes: PageNote[]
  /**
   * The provider is given the document and draws its pages itself: they may look different, the notes and the bytes are
   * of what Faxdeck would draw, and no fax is held back for them.
   */
  drawn_by_provider: boolean
}

/** One fax of an upload that is split at its separator sheets. */
export interface SplitPart extends Quote {
  /** The number on its sheet. */
  to: string
  reference: string | null
  /** Pages of the upload, counted from 1; its sheet is the page before. */
  first_page: number
  last_page: number
}

/** One document to many numbers. */
export interface Broadcast {
  id: string
  /**
   * `paused`: no fax of it is begun. `cancelling`: calls that are up are waited for. `finished`: nothing more happens
   * by itself.
   */
  state: 'sending' | 'paused' | 'cancelling' | 'finished'
  /** Faxes it has: one for each number. */
  faxes: number
  counts: BroadcastCounts
  /** Rows left out because their number stood in the list before. */
  duplicates: number
  /** Rows skipped because they name no fax number. */
  skipped: number
  file_name: string | null
  /** Of each fax, its cover page included. */
  pages: number
  /** True on the test line and in an account in test mode: no fax is sent. */
  test: boolean
  /** The broadcast whose failed faxes this one sends again. */
  parent_id: string | null
  cancelled_at: string | null
  created_at: string
}

export interface BroadcastDetail extends Broadcast {
  /** Failed faxes that are sent again: not canceled, not sent again since, and not of those below. */
  resendable: number
  /** Failed faxes to a number that is not in service, or that a person answered: sent again only with `force`. */
  number_failed: number
  skipped_rows: SkippedRow[]
}

export interface BroadcastRecipient {
  /** Its place in the broadcast, from 1. */
  n: number
  fax_id: string
  to: string
  name: string | null
  reference: string | null
  status: FaxStatus
  needs_attention: boolean
  error: string | null
  error_kind: FailureKind | null
}

export interface WebhookAttempt {
  at: string
  duration_ms: number
  /** Of the answer; null when none came. */
  response_status: number | null
  error: string | null
  /** The first 1,024 bytes of the answer as text; null when it had none. */
  response_body: string | null
}

/** Where messages go, and about what. */
export interface Webhook {
  id: string
  url: string
  description: string | null
  events: WebhookEvent[]
  inbound_content: 'id' | 'details' | 'link' | 'document'
  enabled: boolean
  /** Why it was switched off without a person; null otherwise. */
  disabled_reason: string | null
  /** When the first of the tries was made that have all failed since. After five days it is switched off. */
  failing_since: string | null
  /** Until when messages are signed with the secret before as well. */
  previous_secret_until: string | null
  /**
   * The key it belongs to: it only reports on what that key sees. Null for one of the installation, which reports on
   * all.
   */
  key_id: string | null
  created_at: string
}

/** A new webhook, or one with a new secret: no other answer contains it. */
export interface WebhookWithSecret extends Webhook {
  secret: string
}

/** One message to a webhook, and what became of it. */
export interface WebhookDelivery {
  /** The `webhook-id` of the message, the same at every try. */
  id: string
  webhook_id: string
  event: DeliveryEvent
  /** The job or received fax it reports on; of a test, the webhook itself. */
  subject_id: string
  state: 'pending' | 'delivered' | 'failed'
  tries: number
  next_try_at: string | null
  last_try_at: string | null
  /** Of the last answer; null when none came. */
  response_status: number | null
  error: string | null
  /** The JSON as it is signed and sent, without the link or document that is added at each try. */
  payload: string
  created_at: string
  /** Give it as `cursor` to get the messages that follow this one. */
  cursor: string
}

/** A delivery with each try. */
export interface WebhookDeliveryDetail extends WebhookDelivery {
  /** The last 20 tries, oldest first. */
  attempts: WebhookAttempt[]
}

/** What a replay put on its way. */
export interface WebhookReplay {
  /** From when on: the time that was given, or 30 days ago, when messages begin to be removed. */
  since: string
  /** Messages that were put on their way. */
  queued: number
  /** Messages that are on their way already, or were replayed less than ten minutes ago. */
  skipped: number
  /** Give it as `since` to go on: 1,000 messages are replayed by one call. Null when that was all. */
  next_since: string | null
}
