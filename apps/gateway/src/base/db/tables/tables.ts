import type { FailureKind } from '@faxdeck/contract'
import type { BroadcastRecipientRow, BroadcastRow } from './broadcasts.ts'
import type { BulkActionRow, BulkPartRow } from './bulk.ts'
import type { FaxOpeningRow, GroupMemberRow, GroupNumberRow, GroupRow } from './groups.ts'
import type { InboundFaxRow, InboundOrderRow } from './inbound.ts'
import type { PageReadingRow, PageTextRow } from './pages.ts'
import type {
  DocumentKeyRow,
  InstallationRow,
  ProviderSweepRow,
  StoragePlaceRow,
  StrayDocumentRow,
  WrappingKeyRow,
} from './places.ts'
import type {
  CleaningStateRow,
  ClockSetbackRow,
  DocumentRemovalRow,
  LegalHoldRow,
  RetentionRuleRow,
} from './retention.ts'
import type { ApiKeyRow, PairingCodeRow } from './keys.ts'
import type { FaxApprovalRow, FaxUploadRow } from './requests.ts'
import type { InstalledManifestRow, SavedSettingRow, SettingVersionRow } from './settings.ts'
import type { OidcLoginRow, OidcLogoutRow, PersonIdentityRow, PersonRow, PersonSessionRow } from './people.ts'
import type { PriceRow } from './reports.ts'
import type { TrailCopyRow } from './trail-copies.ts'
import type { ChallengeRow, PasskeyRow, RecoveryCodeRow, TotpRow } from './factors.ts'
import type { LineHourRow, NumberMemoryRow, NumberSpellingRow } from './calls.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookEndpointRow } from './webhooks.ts'

/**
 * The tables as both databases hold them. Instants are ISO text with a `Z`, booleans are 0 and 1,
 * JSON is text: one shape on SQLite and PostgreSQL, and nothing to translate on the way to the wire.
 */
export interface Tables {
  fax_jobs: FaxJobRow
  fax_metadata: FaxMetadataRow
  fax_attempts: FaxAttemptRow
  fax_timeline: FaxTimelineRow
  job_counts: JobCountRow
  queue: QueueRow
  idempotency_keys: IdempotencyRow
  document_tokens: DocumentTokenRow
  inbound_faxes: InboundFaxRow
  inbound_order: InboundOrderRow
  activity_hours: ActivityHourRow
  api_keys: ApiKeyRow
  people: PersonRow
  person_sessions: PersonSessionRow
  person_identities: PersonIdentityRow
  oidc_logins: OidcLoginRow
  oidc_logouts: OidcLogoutRow
  person_totp: TotpRow
  person_passkeys: PasskeyRow
  person_recovery_codes: RecoveryCodeRow
  person_challenges: ChallengeRow
  groups: GroupRow
  group_numbers: GroupNumberRow
  group_members: GroupMemberRow
  fax_openings: FaxOpeningRow
  saved_settings: SavedSettingRow
  setting_versions: SettingVersionRow
  installed_manifests: InstalledManifestRow
  audit_events: AuditEventRow
  audit_head: AuditHeadRow
  pairing_codes: PairingCodeRow
  provider_sweeps: ProviderSweepRow
  webhook_endpoints: WebhookEndpointRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_attempts: WebhookAttemptRow
  fax_approvals: FaxApprovalRow
  fax_uploads: FaxUploadRow
  installation: InstallationRow
  storage_places: StoragePlaceRow
  stray_documents: StrayDocumentRow
  wrapping_keys: WrappingKeyRow
  document_keys: DocumentKeyRow
  legal_holds: LegalHoldRow
  retention_rules: RetentionRuleRow
  cleaning_state: CleaningStateRow
  clock_setbacks: ClockSetbackRow
  document_removals: DocumentRemovalRow
  sent_pages: PageTextRow
  received_pages: PageTextRow
  page_readings: PageReadingRow
  number_memory: NumberMemoryRow
  number_spelling: NumberSpellingRow
  line_hours: LineHourRow
  bulk_actions: BulkActionRow
  bulk_parts: BulkPartRow
  broadcasts: BroadcastRow
  broadcast_recipients: BroadcastRecipientRow
  prices: PriceRow
  trail_copies: TrailCopyRow
}

export interface FaxJobRow {
  id: string
  to_number: string
  /** The digits backwards, so that "ends with" is an index range. */
  to_reversed: string
  status: 'queued' | 'in_progress' | 'SUCCESS' | 'FAILED'
  /** The internal state of a job, from which its status is derived. */
  phase:
    | 'queued'
    | 'preparing'
    | 'submitting'
    | 'accepted'
    | 'waiting_retry'
    | 'uncertain'
    | 'delivered'
    /** Delivered, and another attempt was delivered too, or may be. */
    | 'duplicate'
    /** Delivered, as its provider says, with fewer pages confirmed than it has. Nobody has looked at that yet. */
    | 'incomplete'
    /** Failed when a part of it had arrived, or may have. Nobody has looked at that yet. */
    | 'partial'
    | 'failed'
  backend: string
  pages: number
  pages_confirmed: number | null
  error: string | null
  error_kind: FailureKind | null
  attempt_count: number
  next_try_at: string | null
  /** The live or last attempt. */
  attempt_id: string | null
  provider_id: string | null
  document_kind: string
  document_key: string | null
  /** How its pages are converted to black and white. */
  tones: 'auto' | 'text' | 'photo'
  /** What happens to it if its pages lose writing. */
  unreadable: 'refuse' | 'send'
  /** Findings of the page check as JSON; null before the pages were drawn, and if there are none. */
  page_notes: string | null
  /** JSON of the header line of the live or last attempt's pages; null when they had none. */
  header_line: string | null
  /** JSON of what its cover page says; null when it has none, and once its document was removed. */
  cover: string | null
  document_sha256: string
  size_bytes: number
  file_name: string | null
  caller_key_id: string
  parent_id: string | null
  /** The broadcast that it belongs to; null for a fax that was sent by itself. */
  broadcast_id: string | null
  /** JSON of why nothing more is sent until a person releases it, see `Hold`; null for all others. */
  hold: string | null
  /** The sender's own reference. */
  reference: string | null
  /** JSON of the pairs it was sent with; null for none. */
  metadata: string | null
  created_at: string
  updated_at: string
  finished_at: string | null
  /** The group whose number it was sent with; null for the faxes of all operators. */
  group_id: string | null
  /** 1 when its provider's account sends nothing, see `isTestFax`. */
  is_test: number
}

/** One pair of a fax, to be found by. */
interface FaxMetadataRow {
  name: string
  value: string
  job_id: string
}

export interface FaxAttemptRow {
  id: string
  job_id: string
  number: number
  provider: string
  provider_id: string | null
  /** `submitting` is committed before the provider is called. */
  state: 'submitting' | 'accepted' | 'uncertain' | 'ended'
  started_at: string
  accepted_at: string | null
  ended_at: string | null
  kind: FailureKind | null
  sentence: string | null
  pages_confirmed: number | null
  last_word: string | null
  /** A fingerprint of the account that the provider was used with; null where there are no accounts. */
  account: string | null
  /** By the provider's own clock, a moment before the attempt began; null when its clock was not known then. */
  begun_after: string | null
  /** The number that the provider was asked to send from, where it is not that of the line. */
  from_number: string | null
  /** By the provider's own clock, a moment at which the attempt was over; null until the provider was asked about it. */
  over_by: string | null
  /** Why one more attempt was worth making after it failed before the first page. */
  again: 'as_it_is' | 'coarser' | 'unheard' | 'elsewhere' | null
  /** The record of its call as JSON, see `CallRecord`; null if no telephone engine reported one. */
  call_record: string | null
  /** JSON of how its call was asked for, where that differs from the settings, see `CallChoice`. */
  call_options: string | null
  /** 1 when the account sends nothing, 0 when the provider says that it does; null when it has said neither. */
  is_test: number | null
}

export interface FaxTimelineRow {
  job_id: string
  /** Counts from 1 within the job. */
  n: number
  at: string
  event: string
  sentence: string
  until: string | null
}

/** Kept in the transactions that move jobs, so that totals never scan. `attention` counts those that need a person once more. */
interface JobCountRow {
  backend: string
  status: string
  jobs: number
}

/** Durable work. One row per piece of work; claimed with a lease and a fencing token. */
interface QueueRow {
  id: string
  kind: string
  /** The job or received fax it is about. */
  subject_id: string
  /** Where given, only one row per value is occupied: a destination number. */
  exclusive: string | null
  /** Claims are limited per lane: a provider. */
  lane: string
  due_at: string
  /** When `due_at` was set, by the same clock; empty where an older release did. */
  scheduled_at: string
  lease_until: string | null
  /** 1 from the claim until the work lets go of its number and lane: while a call is up, also without a lease. */
  occupied: number
  /** 1 once it was found waiting behind another row of its number; claims pass over it until that row lets go. */
  behind: number
  /** 1 for faxes of a broadcast: they begin when no other work of the lane is due. */
  bulk: number
  /** Grows with every claim; a write under an older token is refused. */
  token: number
  tries: number
  created_at: string
}

export interface IdempotencyRow {
  caller_key_id: string
  idempotency_key: string
  fingerprint: string
  job_id: string
  created_at: string
}

export interface DocumentTokenRow {
  token_sha256: string
  job_id: string
  attempt_id: string
  expires_at: string
  /** When the provider first got the document, by the link or otherwise; null while it certainly has not. */
  given_at: string | null
}

/** What the dashboard's chart shows, per five minutes: `hour` is when they begin. Releases before wrote whole hours. */
interface ActivityHourRow {
  hour: string
  delivered: number
  failed: number
  received: number
  /** Those of the test line, which are not among the others. */
  test_delivered: number
  test_failed: number
}

export interface AuditEventRow {
  seq: number
  ts: string
  event: string
  job_id: string | null
  key_id: string | null
  backend: string | null
  /** JSON of every field, numbers masked, as hashed. */
  fields: string
  prev_hash: string
  hash: string
}

/** The end of the audit chain, one row. Locked by those who append. */
export interface AuditHeadRow {
  id: number
  seq: number
  hash: string
}
