/** An action on all jobs that matched a filter. */
export interface BulkActionRow {
  /** Chosen by the caller: the same request again is the same action. */
  id: string
  action: 'cancel' | 'release' | 'resend'
  /** JSON of the filter as it was asked for, without its search. */
  filter: string
  /** Who wants it. */
  key_id: string
  total: number
  done: number
  refused: number
  /** Why the first of those was refused. */
  refusal: string | null
  created_at: string
  /** Null while jobs of it are left; also set when a person stopped it. */
  finished_at: string | null
}

/** A batch of jobs that the action has not reached yet. */
export interface BulkPartRow {
  bulk_id: string
  /** Counts from 1. */
  n: number
  /** Comma separated. */
  job_ids: string
}
