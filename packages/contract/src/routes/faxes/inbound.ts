import { z } from 'zod'
import { callRecord } from '../../call-record.ts'
import { get, post } from '../../route.ts'
import {
  anyOf,
  byId,
  done,
  faxId,
  groupId,
  instant,
  openings,
  pageCode,
  pageNote,
  pageOf,
  pageWidth,
} from '../../shapes.ts'

/** `waiting`: announced, its document not stored yet. */
const inboundStatus = z.enum(['waiting', 'received', 'failed'])

export const inboundFax = z.object({
  id: faxId,
  fr: z.string().nullable(),
  to: z.string().nullable(),
  status: inboundStatus,
  backend: z.string(),
  provider_sid: z.string(),
  pages: z.number().int().nullable(),
  size_bytes: z.number().int().nullable(),
  sha256: z.string().nullable(),
  /** Why it failed, or why its document is not here yet. */
  error: z.string().nullable(),
  /** Why a person should look at it: the provider did not say in known words how it ended. */
  concern: z.string().nullable(),
  /** With a concern: what the provider said, at most 8 kB, without secrets. */
  notice: z.string().nullable(),
  /** What there is to know of its pages: damaged rows that were repaired, and what was tidied. */
  page_notes: z.array(pageNote),
  /** There is a concern, or pages of a call that broke off are kept, and nobody has marked the fax as read. */
  needs_attention: z.boolean(),
  /** The codes on its first page; empty when it has none, and once the document was removed. */
  codes: z.array(pageCode),
  /** What its call did; null if no telephone engine reported it. */
  call: callRecord.nullable(),
  is_test: z.boolean(),
  /** The group whose number was called; null if there is none. */
  group_id: groupId.nullable(),
  read_at: instant.nullable(),
  document_kept: z.boolean(),
  /** The document is not in the storage although it was not removed, as far as that is known. */
  document_missing: z.boolean(),
  next_try_at: instant.nullable(),
  received_at: instant,
  created_at: instant,
  updated_at: instant,
  /** Give it as `cursor` to get the faxes that follow this one. */
  cursor: z.string(),
})
export type InboundFax = z.infer<typeof inboundFax>

/** A received fax as it is shown alone. */
export const inboundDetail = inboundFax.extend({ openings })

export const callback = z.object({
  name: z.string(),
  url: z.string(),
  notes: z.string().optional(),
  header: z.string().optional(),
  content_types: z.array(z.string()).optional(),
  preferred_content_type: z.string().optional(),
})

/** Which received faxes a list or a count is about. */
export const inboundFilter = z.object({
  /** One or several, separated by commas or repeated. */
  status: anyOf(inboundStatus.options).optional(),
  to_number: z.string().max(40).optional(),
  /** Only faxes of this group. */
  group: groupId.optional(),
  /** Words on its pages or in its codes, or the beginning or end of a number. Words need the scope `inbound:read`. */
  q: z.string().max(100).optional(),
  /** `true`: only what nobody has marked as read. */
  unread: z.enum(['true', 'false']).default('false'),
})

export const inboundRoutes = {
  listInbound: get('/inbound', 'list_received', {
    zone: 'public',
    rate: 'inbound_list',
    summary: 'Received faxes, newest first.',
    failure: 'Failed to fetch inbound faxes',
    query: inboundFilter.extend({
      limit: z.coerce.number().int().min(1).max(200).default(100),
      cursor: z.string().max(120).optional(),
    }),
    reply: z.array(inboundFax),
  }),
  getInbound: get('/inbound/:id', 'read_received', {
    zone: 'public',
    rate: 'inbound_get',
    summary: 'One received fax.',
    failure: 'Failed to fetch inbound faxes',
    params: byId,
    reply: inboundDetail,
  }),
  getInboundPdf: get('/inbound/:id/pdf', 'read_received', {
    zone: 'public',
    rate: 'inbound_get',
    summary: 'The document of a received fax, with the text that was recognized on its pages.',
    failure: 'Download failed',
    audits: ['inbound_pdf_served'],
    shortError: 'Download failed',
    params: byId,
    reply: 'pdf',
  }),
  getInboundOriginal: get('/inbound/:id/original', 'read_received', {
    zone: 'public',
    rate: 'inbound_get',
    summary:
      'The document of a received fax as it arrived: before its pages were cleaned up, and without recognized text. A PDF is returned byte for byte.',
    failure: 'Download failed',
    audits: ['inbound_pdf_served'],
    shortError: 'Download failed',
    params: byId,
    reply: 'pdf',
  }),
  getInboundPage: get('/admin/inbound/:id/pages/:page', 'read_received', {
    summary: 'One page of a received fax as PNG.',
    failure: 'Failed to fetch inbound faxes',
    audits: ['document_viewed', 'thumbnail_shown'],
    params: pageOf,
    query: pageWidth,
    reply: 'png',
  }),
  showInboundNumbers: post('/admin/inbound/:id/numbers', 'read_received', {
    summary: 'The numbers of a received fax in full, for a person who looks at them. Recorded as those of a job.',
    failure: 'Failed to show the number',
    audits: ['number_shown'],
    params: byId,
    reply: inboundFax.pick({ fr: true, to: true }),
  }),
  markInboundRead: post('/admin/inbound/:id/read', 'read_received', {
    summary: 'Mark a received fax as read or unread.',
    failure: 'Failed to fetch inbound faxes',
    params: byId,
    body: z.object({ read: z.boolean() }),
    reply: inboundFax,
  }),
  fetchInboundAgain: post('/admin/inbound/:id/fetch', 'handle_faxes', {
    summary: 'Fetch the document of an announced fax again.',
    failure: 'Failed to fetch inbound faxes',
    audits: ['inbound_fetch_requested'],
    params: byId,
    reply: inboundFax,
  }),
  listCallbacks: get('/admin/inbound/callbacks', 'handle_faxes', {
    summary: 'The addresses to register with the inbound provider.',
    failure: 'Failed to fetch callbacks',
    /** Another provider than the one that receives now. */
    query: z.object({ backend: z.string().max(40).optional() }),
    reply: z.object({ backend: z.string().nullable(), callbacks: z.array(callback) }),
  }),
  simulateInbound: post('/admin/inbound/simulate', 'handle_faxes', {
    summary:
      'Receive a test fax through the normal receiving path. It is marked as a test. With an Idempotency-Key header, a repeated call returns the first one.',
    failure: 'Simulation failed',
    audits: ['inbound_received', 'inbound_failed'],
    body: z
      .object({
        backend: z.string().max(40).optional(),
        fr: z.string().max(40).optional(),
        to: z.string().max(40).optional(),
        pages: z.number().int().min(1).max(20).default(1),
        status: z.enum(['received', 'failed']).default('received'),
      })
      .default({ pages: 1, status: 'received' }),
    reply: done.extend({ id: faxId, status: z.literal('ok') }),
    idempotent: true,
  }),
}
