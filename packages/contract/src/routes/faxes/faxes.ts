import { z } from 'zod'
import { failureKinds } from '../../failure-kinds.ts'
import { labelFields, labelsOfFax, metadataFilter } from '../../labels.ts'
import { get, post } from '../../route.ts'
import {
  allowUnlikelyNumber,
  anyOf,
  byId,
  coverFields,
  coverOfFax,
  day,
  faxId,
  instant,
  pageCode,
  pageNote,
  resendChoice,
  sentForGroup,
  tones,
  unreadable,
} from '../../shapes.ts'

export const faxStatus = z.enum(['queued', 'in_progress', 'SUCCESS', 'FAILED'])
export type FaxStatus = z.infer<typeof faxStatus>

/** Why a fax, or one attempt at it, did not arrive. */
export const failureKind = z.enum(failureKinds)

/** Why a fax is held after a restore, and what the providers say about it. */
export const heldFax = z.object({
  since: instant,
  /** The time our records are of: what happened after it is not in them. */
  as_of: instant,
  /** When providers were last asked; null before the first time. */
  asked_at: instant.nullable(),
  sentence: z.string(),
  /** Faxes to its number that a provider lists and our records lack, oldest first. */
  found: z.array(
    z.object({ provider: z.string(), at: instant, state: z.enum(['queued', 'in_progress', 'delivered', 'failed']) }),
  ),
})
export type HeldFax = z.infer<typeof heldFax>

/** A fax as its sender sees it. Numbers are not masked: the sender gave them. */
export const fax = z.object({
  id: faxId,
  to: z.string(),
  status: faxStatus,
  error: z.string().nullable(),
  error_kind: failureKind.nullable(),
  needs_attention: z.boolean(),
  /** Not null while nothing is sent until a person releases the fax. */
  held: heldFax.nullable(),
  /** The provider that it waits for, by name, while nothing is sent to that one; null otherwise. */
  waiting_for: z.string().nullable(),
  /** When the next attempt begins; null unless it waits for one. */
  next_try_at: instant.nullable(),
  pages: z.number().int().nullable(),
  cover: coverOfFax,
  /**
   * What the check of its pages found, once they were drawn here; empty when all writing can be read, and of a fax whose
   * provider draws the pages itself, which nobody here has checked.
   */
  page_notes: z.array(pageNote),
  /** The codes on its first page; empty until they were looked for, and once the document was removed. */
  codes: z.array(pageCode),
  pages_confirmed: z.number().int().nullable(),
  backend: z.string(),
  /** True on the test line and in an account in test mode: no fax is sent, and SUCCESS means that the test passed. */
  test: z.boolean(),
  provider_sid: z.string().nullable(),
  ...labelsOfFax,
  /** The broadcast that it belongs to; null for a fax that was sent by itself. */
  broadcast_id: faxId.nullable(),
  created_at: instant,
  updated_at: instant,
  /** What this key can do with the fax now; only `GET /fax/{id}` says it. */
  actions: z.array(z.enum(['cancel', 'resend'])).optional(),
})
export type Fax = z.infer<typeof fax>

/** What a fax will take on the line, before it is sent. */
export const quote = z.object({
  pages: z.number().int(),
  /** Of each page as the line carries it. */
  bytes_per_page: z.array(z.number().int()),
  /** Predicted length of the call at 14,400 bit/s. */
  seconds: z.number(),
  seconds_at_33600: z.number(),
  /** Begun minutes of `seconds`. */
  minutes: z.number().int(),
  /** Pages on which writing is lost, or that come out blank, as Faxdeck draws them; empty when all writing can be read. */
  page_notes: z.array(pageNote),
  /**
   * The provider is given the document and draws its pages itself: they may look different, the notes and the bytes are of
   * what Faxdeck would draw, and no fax is held back for them.
   */
  drawn_by_provider: z.boolean(),
})
export type Quote = z.infer<typeof quote>

/**
 * Which faxes a list holds. `status` may be several, separated by commas; it may also be
 * `attention`, those that a person has to decide about, `held`, or `waiting`, for another attempt or for a paused
 * provider; `queued` and `in_progress` hold neither of the last two.
 */
const faxFilter = z.object({
  status: anyOf([...faxStatus.options, 'attention', 'held', 'waiting']).optional(),
  /** The number, as it was given or with its country code. */
  to: z.string().max(40).optional(),
  reference: z.string().max(200).optional(),
  /** A pair, `name:value`; given more than once, a fax has all of them. */
  metadata: metadataFilter.optional(),
  backend: z.string().max(40).optional(),
  /** An id's beginning, a number's end, or words of the file name, error, reference or metadata. */
  q: z.string().max(100).optional(),
  from: day.optional(),
  to_date: day.optional(),
})

/** The form of a fax, as it is sent and as it is quoted. */
const submission = coverFields.extend({
  ...labelFields.shape,
  ...sentForGroup,
  to: z.string(),
  tones: tones.default('auto'),
  unreadable: unreadable.default('refuse'),
  allow_unlikely_number: allowUnlikelyNumber,
})

export const faxRoutes = {
  submitFax: post('/fax', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'Send a document to a number. `tones` says how its pages are converted to black and white, `cover` which cover page comes first (`plain`, `formal`, `confidential` or `none`), and `unreadable` whether a fax with a page that loses writing or comes out blank fails (`refuse`) or is sent with a note (`send`). `unreadable` applies only where Faxdeck draws the pages; a provider that draws them itself is always given the document. A number that most likely does not exist is refused with `number_unlikely`, unless `allow_unlikely_number` is `true`. `reference` and `metadata`, a JSON object of up to 20 short pairs, are part of every answer about the fax, its events and webhooks. With an Idempotency-Key header, a repeated call returns the first fax.',
    failure: 'Failed to send fax',
    audits: ['job_created'],
    shortError: 'Send failed',
    form: submission,
    reply: fax,
    status: 202,
    idempotent: true,
  }),
  listFaxes: get('/fax', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary:
      'The faxes that this key sees, newest first, filtered and paged by a cursor: those sent with it, or all, as was chosen when the key was created.',
    failure: 'Failed to fetch faxes',
    query: faxFilter.extend({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(120).optional(),
    }),
    reply: z.object({ faxes: z.array(fax), next_cursor: z.string().nullable() }),
  }),
  quoteFax: post('/fax/quote', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'Pages, bytes and predicted minutes of a document and its cover page, on which `to` is the number it would go to. It takes every field of `POST /fax`. Nothing is sent or stored.',
    failure: 'Failed to prepare the preview',
    form: submission.partial({ to: true }),
    reply: quote,
  }),
  getFax: get('/fax/:id', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    waits: true,
    summary:
      'The status of one fax. With `wait`, the answer comes once the outcome is known or a person has to decide, at the latest after that many seconds.',
    failure: 'Failed to fetch job details',
    params: byId,
    query: z.object({ wait: z.coerce.number().int().min(0).max(60).optional() }),
    queryOptional: true,
    reply: fax,
  }),
  cancelFax: post('/fax/:id/cancel', 'send_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary:
      'Cancel a fax that this key sees and that has not been submitted to a provider, or is between two attempts.',
    failure: 'Failed to cancel the fax',
    audits: ['job_cancelled'],
    params: byId,
    reply: fax,
  }),
  resendFax: post('/fax/:id/resend', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'Send a finished fax that this key sees again, as a new fax of this key with the same labels; `unreadable` applies again to pages that lose writing, `allow_unlikely_number` to the number. Refused without `force` where a copy was delivered or is under way, and where the number has no fax. With an Idempotency-Key header, a repeated call returns the first one.',
    failure: 'Failed to send fax',
    shortError: 'Send failed',
    audits: ['job_created', 'job_resent'],
    params: byId,
    body: resendChoice,
    reply: fax,
    status: 202,
    idempotent: true,
  }),
  getFaxReceipt: get('/fax/:id/receipt', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary: 'The transmission report of a fax that has ended, as PDF.',
    failure: 'Download failed',
    audits: ['document_viewed'],
    shortError: 'Download failed',
    params: byId,
    reply: 'pdf',
  }),
  getFaxDocument: get('/fax/:id/document', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary: 'The document of a fax as PDF, behind its cover page and with the text that was recognized on its pages.',
    failure: 'Download failed',
    audits: ['admin_pdf_download'],
    shortError: 'Download failed',
    params: byId,
    reply: 'pdf',
  }),
  getFaxPdf: get('/fax/:id/pdf', null, {
    zone: 'public',
    summary: 'The document of a fax, for a provider that holds its one-time link.',
    failure: 'Download failed',
    audits: ['pdf_served'],
    shortError: 'Download failed',
    params: byId,
    query: z.object({ token: z.string().min(1).max(200) }),
    reply: 'pdf',
  }),
}
