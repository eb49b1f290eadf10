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
