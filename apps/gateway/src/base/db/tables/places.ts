/** One row, made with the tables: see `markOf`. */
export interface InstallationRow {
  mark: string
  /** 1 where documents were encrypted from the first one on. */
  encrypts: number
  /** 1 while documents may lie there that are not encrypted. */
  has_plain: number
  /** 1 while the files of the database may hold words of pages from before they were encrypted. */
  has_old_words: number
  /** The key of fingerprints, sealed; null until the master key is changed for the first time. */
  fingerprint_key: string | null
  /** Of Faxdeck, that used the database last; null until one noted itself. */
  version: string | null
  /** Where the database file lies, as `Home`; null until a gateway has started, and after a restore. */
  home: string | null
}

/** The marker that a storage location must have; null if any marker found there is to be accepted. */
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

/** A key of the installation that wraps those of documents. */
export interface WrappingKeyRow {
  id: string
  /** Sealed with the master key. */
  sealed: string
  made_at: string
  /** Since when no more document keys are wrapped with it; null for the one in use. */
  retired_at: string | null
}

/** The key of one stored document. It is deleted with the document, so that no copy can be opened any more. */
export interface DocumentKeyRow {
  document_key: string
  wrapping_key: string
  /** The key, sealed with the wrapping key under the document's name. */
  wrapped: string
  /** `pending`: the document is just being encrypted, and may still lie there as it was. */
  state: 'pending' | 'sealed'
}
