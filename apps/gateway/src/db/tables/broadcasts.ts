/** One document that goes to many numbers. How its faxes stand is read from the faxes. */
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
  /** Not null while no fax of it is begun. */
  paused_at: string | null
  /** Set once and for all: what has not gone out is cancelled. */
  cancelled_at: string | null
  cancelled_by: string | null
  created_at: string
  /** The group of its faxes. */
  group_id: string | null
}

/** Whom a fax of a broadcast is for. */
export interface BroadcastRecipientRow {
  broadcast_id: string
  /** Its place in the list, from 1. */
  n: number
  job_id: string
  name: string | null
}
