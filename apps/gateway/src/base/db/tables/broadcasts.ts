/** One document that is sent to many numbers. The state of its faxes is read from the faxes. */
export interface BroadcastRow {
  id: string
  caller_key_id: string
  /** The provider that its faxes were given to first. */
  backend: string
  file_name: string | null
  /** Of each fax, its cover page included. */
  pages: number
  /** How many it has. */
  faxes: number
  /** Numbers that the list had more than once are faxed once: how many rows were left out. */
  duplicates: number
  /** JSON of the rows that were skipped because their number is no fax number. */
  refused: string
  /** The broadcast whose failed faxes this one sends again. */
  parent_id: string | null
  /** Not null while it is paused: no fax of it is started. */
  paused_at: string | null
  /** Final once set: faxes that have not been sent are canceled. */
  cancelled_at: string | null
  cancelled_by: string | null
  created_at: string
  /** The group of its faxes. */
  group_id: string | null
}

/** The recipient of a fax of a broadcast. */
export interface BroadcastRecipientRow {
  broadcast_id: string
  /** Its place in the list, from 1. */
  n: number
  job_id: string
  name: string | null
}
