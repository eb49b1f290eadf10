/** A fax that an assistant asked to send, for a person to decide. */
export interface FaxApprovalRow {
  id: string
  caller_key_id: string
  /** Null once the key is free for another request. */
  idempotency_key: string | null
  fingerprint: string
  state: 'waiting' | 'approved' | 'refused' | 'expired'
  to_number: string
  pages: number
  /** JSON of the job that it becomes, whose id is kept free for it. */
  draft: string
  /** Null once the document belongs to the fax, or was removed. */
  document_key: string | null
  decided_by: string | null
  decided_at: string | null
  job_id: string | null
  created_at: string
  expires_at: string
  /** The group of the fax that it becomes. */
  group_id: string | null
}

/** A document that was uploaded before its fax is requested. */
export interface FaxUploadRow {
  id: string
  caller_key_id: string
  document_key: string
  file_name: string | null
  pages: number
  size_bytes: number
  created_at: string
  expires_at: string
}
