import type { Tx } from '../db/database.ts'

type Fact = string | number | boolean | null | undefined | readonly string[]

interface JobFacts {
  job_id: string
  backend?: string
  status?: string
  error?: string | null
  key_id?: string
  [fact: string]: Fact
}
interface KeyFacts {
  key_id: string
  [fact: string]: Fact
}
interface ApprovalFacts {
  approval: string
  [fact: string]: Fact
}
interface CallFacts {
  path: string
  key_id?: string
  status?: string
  [fact: string]: Fact
}

/** What each event tells. Numbers under `to`, `from` and the like are masked before they are stored. */
export interface EventFacts {
  job_created: JobFacts & { to: string }
  job_dispatch: JobFacts & { method: string }
  job_updated: JobFacts
  job_failed: JobFacts
  job_cancelled: JobFacts
  job_resent: JobFacts & { parent_id: string }
  job_resolved: JobFacts & { outcome: string }
  job_conflict: JobFacts
  pdf_served: JobFacts
  admin_pdf_download: JobFacts
  document_viewed: JobFacts
  document_removed: JobFacts
  strays_removed: { folder: string; documents: number }
  inbound_received: JobFacts
  inbound_failed: JobFacts
  inbound_fetch_failed: JobFacts
  inbound_pdf_served: JobFacts
  inbound_deleted: JobFacts
  inbound_declined: CallFacts & { backend: string; provider_id: string }
  callback_refused: CallFacts & { backend: string }
  api_key_created: KeyFacts
  api_key_revoked: KeyFacts
  api_key_rotated: KeyFacts
  api_key_denied_scope: KeyFacts & { required: string }
  rate_limited: CallFacts
  api_error: CallFacts
  login_failed: CallFacts
  login_succeeded: CallFacts
  settings_changed: KeyFacts & { changed: readonly string[] }
  settings_exported: KeyFacts
  settings_persisted: KeyFacts
  settings_validated: KeyFacts & { backend: string }
  restart_requested: KeyFacts
  request_repeated: KeyFacts & { job_id?: string | undefined; approval?: string | undefined }
  approval_requested: ApprovalFacts & { key_id: string; to: string; pages: number }
  approval_granted: ApprovalFacts & { key_id: string; asked_by: string; job_id: string }
  approval_refused: ApprovalFacts & { key_id: string; asked_by: string }
  approval_expired: ApprovalFacts & { asked_by: string }
  webhook_registered: KeyFacts & { backend: string }
  webhook_created: KeyFacts & { webhook: string }
  webhook_updated: KeyFacts & { webhook: string; changed: readonly string[] }
  webhook_removed: KeyFacts & { webhook: string }
  webhook_rotated: KeyFacts & { webhook: string }
  webhook_tested: KeyFacts & { webhook: string; message: string }
  webhook_replayed: KeyFacts & { webhook: string; message: string }
  webhook_stopped: { webhook: string }
  action_started: KeyFacts & { action: string }
  action_ended: KeyFacts & { action: string; code: number }
  pairing_code_made: KeyFacts
  pairing_refused: CallFacts & { address: string }
  plugin_installed: KeyFacts & { plugin: string }
  plugin_removed: KeyFacts & { plugin: string }
  plugin_configured: KeyFacts & { plugin: string; changed: readonly string[] }
}
export type EventName = keyof EventFacts

/** `job_created` is recorded by `jobCreated`. */
type MethodName<E extends string> = E extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<MethodName<Tail>>}`
  : E

/**
 * Records one event, or several of the kind. With a transaction the event stands or falls with it,
 * and is appended at its end, because the end of the chain stays locked from then on.
 */
type Recording<E extends EventName> = (facts: EventFacts[E] | readonly EventFacts[E][], tx?: Tx) => Promise<void>

/** One event as stored and shown. */
export interface AuditEntry {
  ts: string
  event: string
  [fact: string]: unknown
}

export type RecordingSink = (tx: Tx, entries: readonly AuditEntry[]) => Promise<void>

export interface AuditFilter {
  /** Part of the entry's JSON, in any case. */
  q?: string
  event?: string
  since?: string
  limit: number
}

/** The audit trail: one method per event. */
export type Events = { [E in EventName as MethodName<E>]: Recording<E> } & {
  /** Newest first. Looks through at most the newest 50,000 entries. */
  list: (filter: AuditFilter) => Promise<AuditEntry[]>
  /** Recomputes the chain. @throws the signal's reason when it is aborted */
  verify: (signal?: AbortSignal) => Promise<{ intact: boolean; checked: number; broken_at: number | null }>
  /** Calls `sink` with entries in the very transaction that records them, so that what it writes stands or falls with them. */
  onRecording: (sink: RecordingSink) => void
  /** Calls `sink` with every entry once it is committed; returns how to stop. */
  onRecorded: (sink: (entry: AuditEntry) => void) => () => void
}
