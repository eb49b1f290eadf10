import type { StatusUpdate } from '@faxdeck/provider-kit'
import type { Handlers } from '../http/handler.ts'
import type { WorkHandler } from '../queue/worker.ts'
import type { JobTotals } from './counts.ts'
import type { Sending } from './sending.ts'

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
  | 'releaseJob'
  | 'resendJob'
  | 'resolveJob'
  | 'lookUpRecipient'
  | 'createPreview'
  | 'coverPreview'
  | 'getPreviewPage'
  | 'quotePreview'

/** Sending. */
export interface Faxes {
  handlers: Handlers<FaxRoutes>
  sending: Sending
  /** Does queued work of the kind `fax`. */
  work: WorkHandler
  /** True while many callers wait for their fax to be accepted. */
  isPressed: () => boolean
  /** Records what a provider tells of a fax it has taken. False when no fax of ours is meant. */
  report: (provider: string, update: StatusUpdate, account?: string | null) => Promise<boolean>
  /** Takes up at once what waits for the credentials of a provider, which were changed. */
  resume: (provider: string) => Promise<void>
  totals: () => Promise<JobTotals>
  /** Asks providers what they list about held faxes, and writes it into each. */
  lookUpHeld: (signal: AbortSignal) => Promise<void>
  /** Removes documents past ARTIFACT_TTL_DAYS, stale links, previews and idempotency keys. */
  expire: () => Promise<void>
}
