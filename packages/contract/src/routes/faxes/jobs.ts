import { z } from 'zod'
import { callRecord } from '../../call-record.ts'
import { labelsOfFax } from '../../labels.ts'
import { maxRecipients } from '../../recipients.ts'
import { get, post } from '../../route.ts'
import {
  anyOf,
  byId,
  coverOfFax,
  day,
  documentKind,
  faxId,
  groupId,
  instant,
  openings,
  pageCode,
  pageNote,
  pageOf,
  pageWidth,
  resendChoice,
} from '../../shapes.ts'
import { broadcastCounts } from './broadcasts.ts'
import { failureKind, faxStatus, heldFax } from './faxes.ts'
import { jobDirection, jobSort } from './job-order.ts'

/** A number as it was given, and what is wrong with it. */
const doubtfulNumber = z.object({ to: z.string(), reason: z.string() })

/** What a person may do with a job now. */
const jobAction = z.enum(['refresh', 'release', 'cancel', 'resend', 'resolve'])
export type JobAction = z.infer<typeof jobAction>

/** A later fax with the same document to the same number: the delivered one, otherwise the newest. */
const resentFax = z.object({
  id: faxId,
  status: faxStatus,
  needs_attention: z.boolean(),
  test: z.boolean(),
  /** When it ended; when it was last changed while it is under way. */
  at: instant,
})

/** Why sending a fax again is refused without `force`. */
const resendRefusal = z.enum(['already_delivered', 'already_under_way', 'number_failed'])
export type ResendRefusal = z.infer<typeof resendRefusal>

export const jobSummary = z.object({
  id: faxId,
  /** Masked to the last four characters. */
  to_number: z.string(),
  /** The person or office its cover page names, else the list of its broadcast; null without one. */
  recipient: z.string().nullable(),
  /** The name of the document as it was sent in. */
  file_name: z.string().nullable(),
  /** The key that sent it, and its name; the name is null when it has none. */
  key_id: z.string(),
  key_name: z.string().nullable(),
  status: faxStatus,
  needs_attention: z.boolean(),
  /** Not null while nothing is sent until a person releases the fax. */
  held: heldFax.nullable(),
  /** The provider that it waits for, by name, while nothing is sent to that one; null otherwise. */
  waiting_for: z.string().nullable(),
  backend: z.string(),
  /** True on the test line and in an account in test mode: no fax is sent, and SUCCESS means that the test passed. */
  test: z.boolean(),
  pages: z.number().int().nullable(),
  error: z.string().nullable(),
  error_kind: failureKind.nullable(),
  attempt_count: z.number().int(),
  next_try_at: instant.nullable(),
  actions: z.array(jobAction),
  /** By which fax it was sent again, and how that one stands; null if it was not. */
  resent_as: resentFax.nullable(),
  /** The error with which sending it again is refused without `force`; null if it is not. */
  resend_refusal: resendRefusal.nullable(),
  ...labelsOfFax,
  /** The group it belongs to; null if there is none. */
  group_id: groupId.nullable(),
  created_at: instant,
  updated_at: instant,
})
export type JobSummary = z.infer<typeof jobSummary>

export const attempt = z.object({
  number: z.number().int(),
  provider: z.string(),
  provider_id: z.string().nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
  kind: failureKind.nullable(),
  sentence: z.string().nullable(),
  pages_confirmed: z.number().int().nullable(),
  /** What its call did; null if no telephone engine reported it. */
  call: callRecord.nullable(),
})

const timelineEntry = z.object({
  at: instant,
  event: z.string(),
  /** Plain words: "Busy. Retrying at 14:05, attempt 2 of 4." without the clock time, which is in `until`. */
  sentence: z.string(),
  until: instant.nullable(),
})

export const job = jobSummary.extend({
  provider_sid: z.string().nullable(),
  document_kind: documentKind,
  size_bytes: z.number().int(),
  document_kept: z.boolean(),
  /** The document is not in the storage although it was not removed, as far as that is known. */
  document_missing: z.boolean(),
  cover: coverOfFax,
  page_notes: z.array(pageNote),
  codes: z.array(pageCode),
  pages_confirmed: z.number().int().nullable(),
  parent_id: faxId.nullable(),
  /** The broadcast that it belongs to. */
  broadcast_id: faxId.nullable(),
  max_attempts: z.number().int().nullable(),
  attempts: z.array(attempt),
  timeline: z.array(timelineEntry),
})
export type Job = z.infer<typeof job>

/** A job as it is shown alone. */
export const jobDetail = job.extend({
  openings,
  /** What its cover page says, without whom it is for; null without one, and once the document was removed. */
  cover_text: z
    .object({ from: z.string().nullable(), subject: z.string().nullable(), note: z.string().nullable() })
    .nullable(),
})

const jobStates = [...faxStatus.options, 'attention', 'held', 'waiting', 'unresolved'] as const

/**
 * `status` may be several, separated by commas; it may also be `attention`, uncertain jobs that wait for a person; `held`, those that wait to be released;
 * `waiting`, those that wait for another attempt or for a paused provider, which are in neither `queued` nor `in_progress`;
 * or `unresolved`, those that failed and were neither sent again nor closed by a person, and those that need attention.
 */
export const jobFilter = z.object({
  status: anyOf(jobStates).optional(),
  backend: z.string().max(40).optional(),
  /** Only faxes of this group. */
  group: groupId.optional(),
  /** Only faxes of this broadcast. */
  broadcast: faxId.optional(),
  /** Only those that the broadcast counts so. */
  outcome: broadcastCounts.keyof().optional(),
  /** An id's beginning, a number's end, words of the file name, error, reference or metadata, or words on its pages. */
  q: z.string().max(100).optional(),
  from: day.optional(),
  to_date: day.optional(),
  /** Which instant `from` and `to_date` are about: when the fax was created, the default, or when it ended. */
  time: z.enum(['created', 'ended']).optional(),
})
/** With one status at most. */
export type JobFilter = Omit<z.input<typeof jobFilter>, 'status'> & {
  status?: (typeof jobStates)[number] | undefined
}

export const jobRoutes = {
  listJobs: get('/admin/fax-jobs', 'open_faxes', {
    summary:
      'Jobs, filtered, sorted and paged by a cursor; newest first unless `sort` and `direction` say otherwise. More than 10,000 jobs of a time range can be sorted by that time only.',
    failure: 'Failed to fetch jobs',
    query: jobFilter.extend({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(160).optional(),
      sort: jobSort.default('created'),
      direction: jobDirection.default('desc'),
    }),
    reply: z.object({
      jobs: z.array(jobSummary),
      total: z.number().int(),
      /** True when counting stopped at 10,000. */
      total_is_minimum: z.boolean(),
      next_cursor: z.string().nullable(),
    }),
  }),
  exportJobs: get('/admin/fax-jobs/export.csv', 'open_faxes', {
    summary: 'The filtered jobs as CSV, streamed.',
    failure: 'Failed to fetch jobs',
    shortError: 'Download failed',
    query: jobFilter.extend({ ids: z.string().max(20_000).optional() }),
    reply: 'csv',
  }),
  getJob: get('/admin/fax-jobs/:id', 'open_faxes', {
    summary: 'One job with its attempts and timeline.',
    failure: 'Failed to fetch job details',
    params: byId,
    reply: jobDetail,
  }),
  getJobPdf: get('/admin/fax-jobs/:id/pdf', 'open_faxes', {
    summary: 'The document of a job as PDF, with the text that was recognized on its pages.',
    failure: 'Download failed',
    audits: ['admin_pdf_download'],
    shortError: 'Download failed',
    params: byId,
    reply: 'pdf',
  }),
  getJobOriginal: get('/admin/fax-jobs/:id/original', 'open_faxes', {
    summary:
      'The document of a job as PDF, without recognized text: byte for byte as it was uploaded where that was a PDF without a cover page, or with `cover=false`, which leaves the cover page out.',
    failure: 'Download failed',
    audits: ['admin_pdf_download'],
    shortError: 'Download failed',
    params: byId,
    query: z.object({ cover: z.enum(['true', 'false']).default('true') }),
    reply: 'pdf',
  }),
  getJobReceipt: get('/admin/fax-jobs/:id/receipt', 'open_faxes', {
    summary: 'The transmission report of a job that has ended, as PDF.',
    failure: 'Download failed',
    audits: ['document_viewed'],
    shortError: 'Download failed',
    params: byId,
    reply: 'pdf',
  }),
  getJobPage: get('/admin/fax-jobs/:id/pages/:page', 'open_faxes', {
    summary: 'One page as faxed, as PNG.',
    failure: 'Failed to fetch job details',
    audits: ['document_viewed', 'thumbnail_shown'],
    params: pageOf,
    query: pageWidth,
    reply: 'png',
  }),
  showJobNumber: post('/admin/fax-jobs/:id/number', 'open_faxes', {
    summary:
      'The number of a job in full, for a person who looks at it. Recorded once for each person or key in a quarter of an hour.',
    failure: 'Failed to show the number',
    audits: ['number_shown'],
    params: byId,
    reply: z.object({ to_number: z.string() }),
  }),
  refreshJob: post('/admin/fax-jobs/:id/refresh', 'open_faxes', {
    summary: 'Ask the provider for the status of a job now.',
    failure: 'Failed to fetch job details',
    params: byId,
    reply: job,
  }),
  cancelJob: post('/admin/fax-jobs/:id/cancel', 'open_faxes', {
    summary: 'Cancel a job that has not been submitted to a provider, or is between two attempts.',
    failure: 'Failed to cancel the fax',
    audits: ['job_cancelled'],
    params: byId,
    reply: job,
  }),
  releaseJob: post('/admin/fax-jobs/:id/release', 'handle_faxes', {
    summary: 'Release a fax held since a restore. A fax that is not held is returned unchanged.',
    failure: 'Failed to release the fax',
    audits: ['job_released'],
    params: byId,
    reply: job,
  }),
  resendJob: post('/admin/fax-jobs/:id/resend', 'open_faxes', {
    summary:
      'Send a finished fax again, as a new job that names this one as its parent; `unreadable` applies again to pages that lose writing, `allow_unlikely_number` to the number. Refused without `force` where a copy was delivered or is under way, and where the number has no fax. With an Idempotency-Key header, a repeated call returns the first one.',
    failure: 'Failed to send fax',
    audits: ['job_created', 'job_resent', 'job_resolved'],
    params: byId,
    body: resendChoice,
    reply: job,
    status: 202,
    idempotent: true,
  }),
  resolveJob: post('/admin/fax-jobs/:id/resolve', 'handle_faxes', {
    summary:
      'Resolve an uncertain fax: delivered, failed, or send again. `attempt` names the attempt you mean: once the fax has been tried again, nothing is done. With an Idempotency-Key header, a repeated call decides nothing more.',
    failure: 'Failed to settle the fax',
    audits: ['job_resolved'],
    params: byId,
    body: z.object({
      outcome: z.enum(['delivered', 'failed', 'send_again']),
      attempt: z.number().int().min(1).optional(),
    }),
    reply: job,
    idempotent: true,
  }),
  checkNumbers: post('/admin/recipients/check', 'open_faxes', {
    summary:
      'Which of up to 5,000 numbers cannot be dialed, and which most likely do not exist: no area code or number range begins so, and no fax has ever reached them. Nothing is stored.',
    failure: 'Failed to check the numbers',
    body: z.object({ numbers: z.array(z.string().max(60)).max(maxRecipients) }),
    reply: z.object({ invalid: z.array(doubtfulNumber), unlikely: z.array(doubtfulNumber) }),
  }),
  lookUpRecipient: get('/admin/recipients', 'open_faxes', {
    summary: 'Whether a number has been faxed before, and how it will be dialed.',
    failure: 'Failed to look up the number',
    query: z.object({ to: z.string().min(1).max(40) }),
    reply: z.object({
      to: z.string(),
      faxed_before: z.number().int(),
      last_delivered_at: instant.nullable(),
    }),
  }),
}
