/** The call settings that worked with a number over a provider; ignored once it is too old. */
export interface NumberMemoryRow {
  provider: string
  number: string
  /** JSON of `CallOptions`. */
  options: string
  learned_at: string
}

/** How busy the lines of a provider were within an hour of UTC. */
export interface LineHourRow {
  provider: string
  hour: string
  calls: number
  /** Of all its lines together. */
  busy_seconds: number
  /** The most that were busy at once. */
  peak: number
}

/** What of the stored numbers is still to be written in E.164. */
export interface NumberSpellingRow {
  list: 'holds' | 'groups' | 'received' | 'sent'
  /** The last row that was looked at; empty before the first. */
  after: string
  /** Rows that were changed so far. */
  changed: number
}
