import type { DeletionReason } from '@faxdeck/contract'

/** A fax, sent or received: `job_id` is its id, `backend` its provider. */
interface FaxFacts {
  job_id: string
  backend: string
}
interface ByKey {
  /** Whose key did it. */
  key_id: string
}
/** About a person, who may be the one who did it. */
interface ByPerson extends ByKey {
  person: string
  name: string
}
interface OfGroup extends ByKey {
  group: string
  name: string
}
/** What was only a test: by the test line, by an account that sends nothing, or made here. */
interface OfTest {
  test?: true
}
interface OfBroadcast {
  /** The broadcast that the fax belongs to. */
  broadcast_id?: string
}
interface BroadcastFacts extends ByKey {
  broadcast: string
}
/** What every move of a fax that we send records. */
interface MoveFacts extends FaxFacts, OfBroadcast, OfTest, Partial<ByKey> {
  status: string
  provider: string
}
interface WebhookFacts extends ByKey {
  webhook: string
}
interface HoldFacts extends ByKey {
  hold: string
  kind: string
  reason: string
  /** The fax, when it is about one. */
  job_id?: string
  /** The number, when it is about one. */
  to?: string
  /** The person, when it is about one. */
  person?: string
}
/** Proves later which document was deleted and why, without revealing its content. */
interface DeletionFacts {
  direction: 'sent' | 'received'
  sha256: string | null
  pages: number | null
  created_at: string
  reason: DeletionReason
  /** What the rule says; null when no rule was the reason. */
  days: number | null
  /** The group whose rule it was; null for the general one. */
  rule_group: string | null
}
interface ApprovalFacts {
  approval: string
}

/**
 * What each event records, as it is stored and shown. Telephone numbers (`to`, `from`) are masked before they are
 * stored, and so are long numbers inside `error`.
 */
export interface EventFacts {
  job_created: FaxFacts & ByKey & OfBroadcast & OfTest & { to: string; pages: number }
  broadcast_created: BroadcastFacts & { faxes: number; duplicates: number; parent: string | null }
  broadcast_paused: BroadcastFacts
  broadcast_resumed: BroadcastFacts
  broadcast_cancelled: BroadcastFacts
  broadcast_exported: BroadcastFacts
  job_dispatch: MoveFacts & { method: string; attempt: number }
  job_updated: MoveFacts & { state: string; pages_confirmed: number | null; kind?: string | null }
  job_failed: MoveFacts & { error: string | null; kind: string | null }
  job_cancelled: MoveFacts
  job_resent: FaxFacts & ByKey & { parent_id: string }
  job_released: MoveFacts
  jobs_held: { jobs: number; as_of: string }
  job_resolved: MoveFacts & { outcome: string }
  bulk_started: ByKey & { bulk: string; action: string; jobs: number }
  bulk_stopped: ByKey & { bulk: string }
  job_conflict: FaxFacts & { error: string | null }
  pdf_served: FaxFacts
  admin_pdf_download: FaxFacts & ByKey
  /** The first page that was seen; `until` is the end of the time that this record stands for. */
  document_viewed: ByKey & { job_id: string; page: number; size: 'page' | 'excerpt'; until: string }
  /** The numbers of a fax in full; `until` as for views. */
  number_shown: ByKey & { job_id: string; until: string }
  /** A first page in a list, too small to be read. Releases before 1.2 recorded it as viewed, with the size `thumbnail`. */
  thumbnail_shown: ByKey & { job_id: string; page: number; until: string }
  /** Somebody chose Print in the console. Whether paper came out is not known. */
  document_printed: ByKey & { job_id: string }
  document_removed: FaxFacts & DeletionFacts
  hold_placed: HoldFacts
  hold_lifted: HoldFacts
  retention_changed: ByKey & { rules: readonly string[] }
  /** More than usual will be deleted in a day. */
  deletions_announced: { faxes: number }
  deletions_paused: ByKey
  deletions_resumed: ByKey
  /** A person said that the clock of this machine is right; it was believed to be `before`. */
  clock_confirmed: ByKey & { before: string | null }
  /** Texts that were sealed again, and some that the former key did not open. */
  master_key_changed: { sealed: number; unreadable: number }
  /** `to` for a number, `person` for a person. */
  records_exported: ByKey & { export: string; kind: string; reason: string; to?: string; person?: string }
  records_export_ended: ByKey & { export: string; files: number; sent: number; received: number; documents: number }
  /** As `records_exported`, of the entries of the trail; `job_id` for a fax. */
  report_made: ByKey & { kind: string; entries: number; to?: string; person?: string; job_id?: string }
  document_key_rotated: { wrapping_key: string }
  documents_encrypted: { documents: number }
  strays_removed: { folder: string; documents: number }
  storage_accepted: { place: string }
  /** The entries that follow take the numbers of those that were recorded after `as_of`, in a database that is gone. */
  database_restored: { as_of: string }
  /** A person, or the environment, said what became of a data folder that is found in another place. */
  data_folder_settled: ByKey & { was: 'moved' | 'copied' }
  installation_imported: { jobs: number; inbound: number; keys: number }
  inbound_received: FaxFacts &
    OfTest & {
      status: string
      pages: number | null
      sha256: string | null
      from: string | null
      to: string | null
      concern?: string
    }
  inbound_failed: FaxFacts &
    OfTest & { error: string | null; status?: string; pages?: number | null; sha256?: string | null }
  inbound_fetch_failed: FaxFacts & OfTest & { status: string; error: string; try: number }
  inbound_fetch_requested: FaxFacts & ByKey
  inbound_fetch_refused: FaxFacts & ByKey & { reason: string }
  inbound_unclear: FaxFacts & { concern: string }
  /** The text of its pages was recognized. */
  inbound_text_read: FaxFacts & OfTest
  inbound_settled: FaxFacts & { concern: string; status: string }
  /** `webhook`: the webhook that it was attached to, or that a link to it was sent by. */
  inbound_pdf_served: FaxFacts & ByKey & { webhook?: string }
  inbound_deleted: FaxFacts & DeletionFacts & Partial<ByKey>
  inbound_declined: { path: string; backend: string; provider_id: string }
  callback_unreadable: { path: string; backend: string; error: string }
  callback_refused: { path: string; backend: string; address: string; count: number }
  api_key_created: ByKey & {
    owner: string | null
    scopes: readonly string[]
    fax_access: string
    received_only?: readonly string[]
    received_delete?: true
    by: string
  }
  api_key_revoked: ByKey & { by: string }
  api_key_rotated: ByKey & { by: string }
  api_key_denied_scope: ByKey & { required: string }
  rate_limited: ByKey & { path: string; limit: number }
  api_error: { path: string; status: string }
  login_failed: { path: string; address: string }
  login_succeeded: ByKey & { path: string; address: string }
  permission_denied: ByKey & { required: string }
  person_invited: ByPerson & { role: string }
  person_joined: ByPerson & { address: string }
  person_changed: ByPerson & { changed: readonly string[]; role: string; state: string }
  person_signed_in: ByPerson & { address: string; how?: string }
  person_signed_out: ByPerson
  /** `step` is absent for a password. */
  sign_in_failed: { person: string | null; address: string; step?: string }
  sessions_ended: ByPerson & { count: number; reason?: 'cookie_copied' }
  password_changed: ByPerson
  group_created: OfGroup
  group_renamed: OfGroup & { was: string }
  group_deleted: OfGroup & { numbers: readonly string[]; people: readonly string[] }
  group_number_added: OfGroup & { number: string }
  group_number_removed: OfGroup & { number: string }
  group_calling_number_set: OfGroup & { number: string | null }
  group_member_added: OfGroup & { person: string }
  group_member_removed: OfGroup & { person: string }
  fax_opened_with_reason: ByKey & { name: string; job_id: string; reason: string; direction: string; until: string }
  /** Somebody gave a reason for an id that no fax has. */
  fax_opening_missed: ByKey & { name: string; job_id: string; reason: string }
  /** Somebody looked for faxes outside of their groups. `to` when they knew the number, `words` when they gave words. */
  fax_search_with_reason: ByKey & { name: string; reason: string; to?: string; words?: true }
  account_confirmed: ByPerson & { how: string }
  factor_added: ByPerson & { factor: string; label?: string }
  factor_removed: ByPerson & { factor: string; label?: string }
  passkey_renamed: ByPerson & { label: string; was: string }
  factors_reset: ByPerson
  recovery_codes_made: ByPerson
  recovery_code_used: ByPerson & { left: number }
  settings_changed: ByKey & { changed: readonly string[] }
  settings_undone: ByKey & { changed: readonly string[]; saved_by: readonly string[] }
  settings_exported: ByKey & { secrets: boolean }
  settings_persisted: ByKey
  settings_validated: ByKey & { backend: string }
  restart_requested: ByKey
  request_repeated: ByKey & { job_id?: string | undefined; approval?: string | undefined }
  approval_requested: ApprovalFacts & ByKey & { to: string; pages: number }
  approval_granted: ApprovalFacts & ByKey & { asked_by: string; job_id: string }
  approval_refused: ApprovalFacts & ByKey & { asked_by: string }
  approval_expired: ApprovalFacts & { asked_by: string }
  webhook_registered: ByKey & { backend: string }
  webhook_created: WebhookFacts
  webhook_updated: WebhookFacts & { changed: readonly string[] }
  webhook_removed: WebhookFacts
  webhook_rotated: WebhookFacts
  webhook_tested: WebhookFacts & { message: string }
  webhook_replayed: WebhookFacts & { message: string }
  webhook_stopped: { webhook: string; reason?: 'gone' | 'failing' } & Partial<ByKey>
  webhook_replayed_since: WebhookFacts & { since: string; messages: number }
  action_started: ByKey & { action: string }
  action_ended: ByKey & { action: string; code: number | null }
  numbers_forgotten: ByKey & { count: number }
  pairing_code_made: ByKey
  pairing_refused: { path: string; address: string }
  plugin_installed: ByKey & { plugin: string; domains: readonly string[] }
  plugin_removed: ByKey & { plugin: string; installed_by?: readonly string[] }
  price_saved: ByKey & { backend: string; direction: string; valid_from: string }
  price_removed: ByKey & { backend: string; direction: string; valid_from: string }
  plugin_configured: ByKey & { plugin: string; changed: readonly string[] }
}

/** One event as stored and shown. */
export interface AuditEntry {
  ts: string
  event: string
  [fact: string]: unknown
}

export interface AuditFilter {
  /** Part of the entry's JSON, in any case. */
  q?: string
  event?: string
  since?: string
  limit: number
}
