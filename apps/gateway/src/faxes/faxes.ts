import type { StatusUpdate } from '@faxdeck/provider-kit'
import type { Handlers } from '../http/handler.ts'
import type { WorkHandler } from '../queue/worker.ts'

export type FaxRoutes =
  | 'submitFax'
  | 'quoteFax'
  | 'getFax'
  | 'getFaxPdf'
  | 'getFaxReceipt'
  | 'listJobs'
  | 'exportJobs'
  | 'getJob'
  | 'getJobPdf'
  | 'getJobReceipt'
  | 'getJobPage'
  | 'refreshJob'
  | 'cancelJob'
  | 'resendJob'
  | 'resolveJob'
  | 'lookUpRecipient'
  | 'createPreview'
  | 'getPreviewPage'
  | 'quotePreview'
  | 'getActivity'

/** Jobs as the health screen counts them. */
export interface JobTotals {
  queued: number
  in_progress: number
  /** Failed within the last hour. */
  recent_failures: number
  /** Uncertain, waiting for a person. */
  attention: number
}

/** Sending. */
export interface Faxes {
  handlers: Handlers<FaxRoutes>
  /** Does queued work of the kind `fax`. */
  work: WorkHandler
  /** True while many callers wait for their fax to be accepted. */
  isPressed: () => boolean
  /** Records what a provider tells of a fax it has taken. False when no fax of ours is meant. */
  report: (provider: string, update: StatusUpdate) => Promise<boolean>
  totals: () => Promise<JobTotals>
  /** Removes documents past ARTIFACT_TTL_DAYS, stale links, previews and idempotency keys. */
  expire: () => Promise<void>
}
