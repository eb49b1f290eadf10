import type { FaxAccess } from '@faxdeck/contract'

export interface ApiKeyRow {
  key_id: string
  secret_sha256: string
  name: string | null
  owner: string | null
  /** Comma separated. */
  scopes: string
  fax_access: FaxAccess
  /** The received faxes that it is limited to, as JSON of `ReceivedLimit`; null for no limit. */
  received_only: string | null
  /** 1 if it may delete the documents of the received faxes that it sees. */
  received_delete: number
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** A code that a device may exchange for a key, once. */
export interface PairingCodeRow {
  code_sha256: string
  /** The id of the key that asked for it. */
  created_by: string
  expires_at: string
  wrong_tries: number
}
