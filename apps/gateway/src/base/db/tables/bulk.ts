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

/** A job that the action has not reached yet: who changes the job takes the row away in the same transaction. */
export interface BulkPartRow {
  bulk_id: string
  n: number
  /** One id. Versions before 1.3 wrote up to a hundred, comma separated. */
  job_ids: string
}
