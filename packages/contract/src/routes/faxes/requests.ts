import { z } from 'zod'
import { get, post } from '../../route.ts'
import {
  anyCase,
  documentKind,
  faxId,
  instant,
  pageNote,
  pageWidth,
  unreadable,
  unreadableChoice,
} from '../../shapes.ts'
import { fax, faxRoutes, quote } from './faxes.ts'
import { uploadId } from './uploads.ts'

/** Ids of requests that a person decides about: `apr_` and 32 hex characters. */
const approvalId = z.string().regex(/^apr_[0-9a-f]{32}$/, 'The id of a request is apr_ and 32 hex characters.')
const byApproval = z.object({ id: approvalId })

const approvalState = z.enum(['waiting', 'approved', 'refused', 'expired'])
export type ApprovalState = z.infer<typeof approvalState>

/** The state of a request, as the one who made it sees it. */
export const approval = z.object({
  id: approvalId,
  state: approvalState,
  pages: z.number().int(),
  created_at: instant,
  /** Until then a person can decide. */
  expires_at: instant,
  decided_at: instant.nullable(),
})

/** A fax that an assistant asks for: it waits for a person, or is a fax by now, or never will be. */
export const faxRequest = z.object({
  /** Null when it was sent without a person being asked. */
  approval: approval.nullable(),
  fax: fax.nullable(),
})
export type FaxRequest = z.infer<typeof faxRequest>

const requestedFax = faxRequest.extend({
  /** It had been asked for before: this is its state, and nothing more is sent. */
  replayed: z.boolean(),
})
export type RequestedFax = z.infer<typeof requestedFax>

/** A request as the person who decides sees it. The number is not masked, because that person has to read it. */
export const pendingFax = approval.extend({
  to: z.string(),
  faxed_before: z.number().int(),
  file_name: z.string().nullable(),
  document_kind: documentKind,
  size_bytes: z.number().int(),
  /** What the check of its pages found; empty when all writing can be read. */
  page_notes: z.array(pageNote),
  /** What the asker wants done with pages that lose writing. */
  unreadable,
  /** The key or token that asked, and the name of the key. */
  asked_by: z.string(),
  asked_by_name: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_by_name: z.string().nullable(),
  /** The fax that came of it. */
  job_id: faxId.nullable(),
})
export type PendingFax = z.infer<typeof pendingFax>

const { form } = faxRoutes.submitFax
const decides = { params: byApproval, reply: pendingFax } as const

/** How assistants send: under the rules of the settings, which may ask for a quote and for a person. */
export const requestRoutes = {
  quoteRequest: post('/fax/requests/quote', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'The pages and predicted minutes of a fax and, with `to`, a quote id: for 15 minutes it proves that this exact fax was quoted before it is requested.',
    failure: 'Failed to prepare the quote',
    form: form.partial({ to: true }).extend({ upload_id: uploadId.optional() }),
    fileOptional: true,
    reply: quote.extend({ quote_id: z.string().nullable(), quote_expires_at: instant.nullable() }),
  }),
  requestFax: post('/fax/requests', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'Request a fax, as assistants do: it is sent, or waits for a person to approve it if the settings require that. With an Idempotency-Key header, a repeated call returns the first request; without one, the same fax from the same caller within ten minutes counts as a repeat.',
    failure: 'Failed to send fax',
    audits: ['job_created', 'approval_requested', 'request_repeated'],
    shortError: 'Send failed',
    form: form.extend({ upload_id: uploadId.optional(), quote_id: z.string().max(1000).optional() }),
    fileOptional: true,
    reply: requestedFax,
    status: 202,
    idempotent: true,
  }),
  getFaxRequest: get('/fax/requests/:id', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary: 'The state of a request of the same key: waiting, approved with its fax, refused or expired.',
    failure: 'Failed to fetch the request',
    params: byApproval,
    reply: faxRequest,
  }),
  listApprovals: get('/admin/approvals', 'handle_faxes', {
    summary:
      'Faxes that assistants asked to send: the waiting ones, oldest first, or the recently decided ones, newest first.',
    failure: 'Failed to fetch what waits for approval',
    query: z.object({
      state: anyCase(['waiting', 'decided']).default('waiting'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.array(pendingFax),
  }),
  approveFax: post('/admin/approvals/:id/approve', 'handle_faxes', {
    ...decides,
    summary:
      'Approve a fax that an assistant asked to send; `unreadable` applies to pages that lose writing. It is sent once: a repeated call returns the same fax.',
    body: unreadableChoice,
    failure: 'Failed to approve the fax',
    audits: ['approval_granted', 'job_created'],
    idempotent: true,
  }),
  refuseFax: post('/admin/approvals/:id/refuse', 'handle_faxes', {
    ...decides,
    summary: 'Refuse a fax that an assistant asked to send. Its document is deleted.',
    failure: 'Failed to refuse the fax',
    audits: ['approval_refused'],
  }),
  getApprovalPage: get('/admin/approvals/:id/pages/:page', 'handle_faxes', {
    summary: 'One page of a requested fax as it would be faxed, as PNG.',
    failure: 'Failed to fetch the page',
    audits: ['document_viewed', 'thumbnail_shown'],
    params: byApproval.extend({ page: z.coerce.number().int().min(1).max(10_000) }),
    query: pageWidth,
    reply: 'png',
  }),
}
