export interface InboundFaxRow {
  id: string
  provider: string
  provider_id: string
  from_number: string | null
  to_number: string | null
  status: 'waiting' | 'received' | 'failed'
  pages: number | null
  size_bytes: number | null
  sha256: string | null
  pdf_key: string | null
  original_key: string | null
  /** Where a waiting document can be fetched. */
  source: string | null
  notification: string | null
  /** Why it failed, or why its document is not here yet. */
  error: string | null
  /** Why a person should look at it; they have when it is read. */
  concern: string | null
  /** How the call ended, if it was cut off: the fax is incomplete. */
  broke_off: string | null
  /** Notes about its pages, as JSON; null if there are none. */
  page_notes: string | null
  /** The record of its call as JSON, see `CallRecord`; null if no telephone engine reported one. */
  call_record: string | null
  is_test: number
  fetch_tries: number
  next_try_at: string | null
  read_at: string | null
  received_at: string
  created_at: string
  updated_at: string
  /** The group whose number was called; null for the faxes of all operators. */
  group_id: string | null
  /** In the order in which faxes were complete, which the database itself numbers; null before that. */
  place: number | null
}

/** The last place that was given. */
export interface InboundOrderRow {
  id: number
  seq: number
}
