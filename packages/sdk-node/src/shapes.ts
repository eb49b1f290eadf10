import type { Fax, FaxEventType, FaxStatus, ReceivedFax, SplitPart } from './models.ts'

export type * from './models.ts'

/** A fax of a list. */
export interface Job extends Fax {
  /** The number with all but its last four digits hidden, for logs. */
  to_number: string
}

type FaxState = FaxStatus | 'attention' | 'held' | 'waiting'

/** What a list of faxes may be narrowed to. */
export interface JobFilter {
  /** `attention` are those that a person has to decide about, `held` those held since a restore, `waiting` those between two attempts or behind a paused provider. */
  status?: FaxState | readonly FaxState[]
  /** The whole number. */
  to?: string
  reference?: string
  /** A fax has all of these pairs. */
  metadata?: Record<string, string>
  backend?: string
  /** The start of an id, the end of a number, or words of the file name, error, reference or metadata. */
  q?: string
  /** Days, as `2026-11-21`. */
  from?: string
  to_date?: string
}

/** What a list of received faxes may be narrowed to. */
export interface ReceivedFilter {
  status?: ReceivedFax['status'] | readonly ReceivedFax['status'][]
  /** The number that was called. */
  to?: string
  /** The number that sent it. */
  from?: string
  /** The id of a group. */
  group?: string
  /** Words on its pages or in its codes, or the beginning or end of a number. */
  q?: string
  unread?: 'true' | 'false'
  /** Days or instants. */
  since?: string
  until?: string
  /** `newest` first when it is not given. By `oldest` they come in the order in which they were complete. */
  order?: 'newest' | 'oldest'
  cursor?: string
}

/** What happened to a fax. */
export interface FaxEvent {
  /** Give it to `events` to go on after this event. */
  id: string
  type: FaxEventType
  timestamp: string
  /** The fax as it was when the event was sent, which may be later than the event. */
  fax: Fax
}

/** What a scan with separator sheets becomes. */
export interface SplitQuote {
  /** Of the scan, its sheets included. */
  pages: number
  parts: SplitPart[]
}
