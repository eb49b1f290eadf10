/** How far the audit trail was copied to one place outside. */
export interface TrailCopyRow {
  sink: 'syslog' | 'webhook' | 'file'
  /** Where it leads. Another target begins from the first entry. */
  target: string
  /** The last entry that is certainly there, 0 for none, and its hash. */
  seq: number
  hash: string
  /** JSON: earlier entries that are there, further apart the older they are. */
  marks: string
  sent_at: string | null
  /** When the newest entry was last named there. */
  anchored_at: string | null
  /** Why the last try failed; null when it did not. */
  error: string | null
  failing_since: string | null
  /** The first entry that may be missing or different in the database; null if the copy always matched. */
  cut_at: number | null
  /** The process that copies, and until when it may. */
  owner: string | null
  lease_until: string | null
}
