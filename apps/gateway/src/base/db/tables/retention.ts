import type { HoldKind } from '@faxdeck/contract'

export interface LegalHoldRow {
  id: string
  kind: HoldKind
  subject: string
  reason: string
  placed_by: string
  placed_at: string
  lifted_by: string | null
  /** Null while it holds. */
  lifted_at: string | null
  lift_reason: string | null
}

export interface RetentionRuleRow {
  direction: 'sent' | 'received'
  group_id: string
  /** 0 keeps the documents. */
  days: number
}

/** A document whose deletion is recorded, and that may still lie in the storage. */
export interface DocumentRemovalRow {
  document_key: string
  recorded_at: string
}

/** What the deletion of documents goes by: a single row. */
export interface CleaningStateRow {
  id: number
  /** No later than the time it really is. Null until a gateway has looked. */
  believed_at: string | null
  /** Counts how often a provider or a person said what time it is. */
  believed_no: number
  /** When a deletion of more than usual was announced, by `believed_at`. */
  announced_at: string | null
  /** How many faxes it was about. */
  announced: number
  /** Null while documents are deleted. */
  paused_at: string | null
  paused_by: string | null
}

/** A stretch in which the clock was behind: what it stamped between `from_at` and `to_at` is no older than `ended_at`. */
export interface ClockSetbackRow {
  id: string
  from_at: string
  to_at: string
  ended_at: string
}
