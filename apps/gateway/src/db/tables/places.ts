/** One row, made with the tables: see `markOf`. */
export interface InstallationRow {
  mark: string
}

/** What a place that holds documents must have in its marker; null when whatever is found there is to be accepted. */
export interface StoragePlaceRow {
  kind: 'local' | 's3'
  id: string | null
}

/** A stored document that no row refers to, and since when that is known. */
export interface StrayDocumentRow {
  document_key: string
  seen_at: string
}

export interface ProviderSweepRow {
  provider: string
  direction: 'received' | 'sent'
  swept_until: string
}
