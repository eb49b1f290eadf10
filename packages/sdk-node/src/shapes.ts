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
  /** Sent to the built-in test line: no fax went out, and `SUCCESS` means only that the test ended well. */
  test: boolean
  provider_sid: string | null
  created_at: string
  updated_at: string
}

/** A fax in the list of all, which needs a key that administers. Numbers are masked. */
export interface Job {
  id: string
  to_number: string
  status: FaxStatus
  backend: string
  pages: number | null
  error: string | null
  created_at: string
  updated_at: string
}

/** What a list of jobs may be narrowed to. */
export interface JobFilter {
  status?: FaxStatus
  backend?: string
  /** Digits of a number, or words. */
  q?: string
  /** Days, as `2026-11-21`. */
  from?: string
  to_date?: string
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
