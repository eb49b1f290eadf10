/** `SUCCESS` only when the provider confirmed the fax. */
export type FaxStatus = 'queued' | 'in_progress' | 'SUCCESS' | 'FAILED'

/** What the check of a page found: `lost_writing`, `missing_letters`, `blank_page`, `shrunk` and so on. */
interface PageNote {
  /** Counted from 1. */
  page: number
  kind: string
  sentence: string
  /** Where, in shares of the page's width and height; empty when it is the whole page. */
  places: { left: number; top: number; width: number; height: number }[]
}

/** A fax that was submitted. Times are ISO 8601 in UTC. */
export interface Fax {
  id: string
  to: string
  status: FaxStatus
  /** Why it failed, as a sentence. */
  error: string | null
  /** Why it failed, as a word: `busy`, `no_answer`, `partial`, `uncertain` and so on. */
  error_kind: string | null
  /** A person has to decide: nobody knows whether it arrived, or it is held since a restore. */
  needs_attention: boolean
  pages: number | null
  /** The cover page that is page 1; null for none, and once the document was removed. */
  cover: 'plain' | 'formal' | 'confidential' | null
  /** Empty when all writing can be read, before the pages were drawn, and where the provider draws them itself. */
  page_notes: PageNote[]
  pages_confirmed: number | null
  backend: string
  /** Sent to the built-in test line: no fax went out, and `SUCCESS` means only that the test passed. */
  test: boolean
  provider_sid: string | null
  /** What your program calls it, as it was given to `send`. */
  reference: string | null
  metadata: Record<string, string>
  /** The broadcast that it belongs to. */
  broadcast_id: string | null
  created_at: string
  updated_at: string
}

/** A fax of a list. */
export interface Job extends Fax {
  /** The number with all but its last four digits hidden, for logs. */
  to_number: string
}

/** What a list of faxes may be narrowed to. */
export interface JobFilter {
  /** `attention` are those that a person has to decide about, `held` those held since a restore. */
  status?: FaxStatus | 'attention' | 'held'
  /** The whole number. */
  to?: string
  reference?: string
  /** One pair. */
  metadata?: Record<string, string>
  backend?: string
  /** The id of a broadcast: only its faxes. */
  broadcast?: string
  /** The start of an id, the end of a number, or words of the file name, error, reference or metadata. */
  q?: string
  /** Days, as `2026-11-21`. */
  from?: string
  to_date?: string
}

/** What happened to a fax. `fax.updated` is every other change, such as another attempt that is planned. */
export interface FaxEvent {
  /** Give it to `events` to go on after this event. */
  id: string
  type: 'fax.queued' | 'fax.sending' | 'fax.updated' | 'fax.delivered' | 'fax.failed' | 'fax.uncertain'
  timestamp: string
  /** The fax as it was when the event was sent, which may be later than the event. */
  fax: Fax
}

/** A received fax. */
export interface InboundFax {
  id: string
  fr: string | null
  to: string | null
  status: 'waiting' | 'received' | 'failed'
  backend: string
  pages: number | null
  received_at: string
  /** Where a list goes on after this fax. */
  cursor: string
}

/** What a document takes on the line, before it is sent. */
export interface Quote {
  pages: number
  bytes_per_page: number[]
  /** Predicted length of the call at 14,400 bit/s. */
  seconds: number
  seconds_at_33600: number
  minutes: number
  /** Pages on which writing is lost, or that come out blank, as Faxdeck draws them. */
  page_notes: PageNote[]
  /** The provider draws the pages from the document itself: they may look different, and nothing is held back. */
  drawn_by_provider: boolean
}

/** One document to many numbers. Its counts add up to `faxes`. */
export interface Broadcast {
  id: string
  state: 'sending' | 'paused' | 'cancelling' | 'finished'
  /** Faxes that were accepted: one for each number. */
  faxes: number
  counts: {
    queued: number
    in_progress: number
    delivered: number
    failed: number
    cancelled: number
    /** It is unknown whether they arrived, or only a part of them did. */
    unconfirmed: number
  }
  /** Rows left out because their number stood in the list before. */
  duplicates: number
  /** Rows skipped because they name no fax number. */
  skipped: number
  /** Which rows were skipped, and why; absent in a list of broadcasts. */
  skipped_rows?: { row: number; text: string; reason: string }[]
  /** Failed faxes that can be sent again; absent in a list of broadcasts. */
  resendable?: number
  file_name: string | null
  pages: number
  /** On the test line: no fax is sent. */
  test: boolean
  /** The broadcast whose failed faxes this one sends again. */
  parent_id: string | null
  cancelled_at: string | null
  created_at: string
}

/** A recipient of a broadcast, and what became of the fax. */
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
  error_kind: string | null
}

/** What a scan with separator sheets becomes. */
export interface SplitQuote {
  /** Of the scan, its sheets included. */
  pages: number
  parts: SplitPart[]
}

/** One fax of a scan: the pages between two separator sheets, and what they take on the line. */
export interface SplitPart extends Quote {
  to: string
  reference: string | null
  /** Pages of the scan, counted from 1. */
  first_page: number
  last_page: number
}
