import { z } from 'zod'
import { del, get, post } from '../../route.ts'
import { anyCase, byId, day, faxId, groupId } from '../../shapes.ts'
import { inboundFax, inboundFilter } from './inbound.ts'
import { maxInboundDownloaded } from './inbound-many.ts'

/** A received fax as a program sees it. */
export const receivedFax = inboundFax.omit({ fr: true, is_test: true, group_id: true, cursor: true }).extend({
  /** The number that sent it, as the line reported it. */
  from: z.string().nullable(),
  /** True of a simulated fax, which nobody sent. */
  test: z.boolean(),
  /** The group whose number was called; null if there is none. */
  group: z.object({ id: groupId, name: z.string() }).nullable(),
  /** Give it as `cursor` with `order=oldest` to get what arrived after this fax. Null while it is `waiting`. */
  cursor: z.string().nullable(),
  /** Paths of this gateway. The document is null until it is here, and once it was removed. */
  links: z.object({ self: z.string(), document: z.string().nullable() }),
})
export type ReceivedFax = z.infer<typeof receivedFax>

const documentFormats = ['pdf', 'tiff', 'original', 'text'] as const
export type DocumentFormat = (typeof documentFormats)[number]

const { status, group, q, unread } = inboundFilter.shape
const open = { zone: 'public', rate: 'inbound_get' } as const

/** Received faxes for programs, in the style of `GET /fax`. */
export const receivedRoutes = {
  listReceived: get('/received', 'list_received', {
    zone: 'public',
    rate: 'inbound_list',
    summary:
      'The received faxes that this key sees, filtered and paged by a cursor, newest first. With `order=oldest` they come in the order in which they were complete, and waiting ones are left out: the `cursor` of the last fax then gives what has arrived since, and skips none.',
    failure: 'Failed to fetch received faxes',
    query: z.object({
      status,
      /** The number that was called. */
      to: z.string().max(40).optional(),
      /** The number that sent it. */
      from: z.string().max(40).optional(),
      group,
      q,
      unread,
      /** Received at this day or instant or later. */
      since: day.optional(),
      /** Received at this day or before this instant. */
      until: day.optional(),
      order: anyCase(['newest', 'oldest']).default('newest'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(120).optional(),
    }),
    reply: z.object({ faxes: z.array(receivedFax), next_cursor: z.string().nullable() }),
  }),
  getReceived: get('/received/:id', 'read_received', {
    ...open,
    summary: 'One received fax.',
    failure: 'Failed to fetch received faxes',
    params: byId,
    reply: receivedFax,
  }),
  getReceivedDocument: get('/received/:id/document', 'read_received', {
    ...open,
    summary:
      'The document of a received fax: `pdf` with the text that was recognized on its pages, `tiff` as a fax machine writes it, `original` byte for byte as it arrived (a PDF or TIFF), or `text`, what was recognized, with a form feed between pages.',
    failure: 'Download failed',
    shortError: 'Download failed',
    audits: ['inbound_pdf_served'],
    params: byId,
    query: z.object({ format: anyCase(documentFormats).default('pdf') }),
    queryOptional: true,
    reply: 'document',
  }),
  getLinkedReceived: get('/received/:id/linked', null, {
    zone: 'public',
    summary:
      'The document of a received fax as PDF, for whoever was sent a link to it by a webhook. It works for an hour.',
    failure: 'Download failed',
    shortError: 'Download failed',
    audits: ['inbound_pdf_served'],
    params: byId,
    query: z.object({ token: z.string().min(1).max(200) }),
    reply: 'pdf',
  }),
  markReceivedRead: post('/received/:id/read', 'read_received', {
    ...open,
    summary: 'Mark a received fax as read, or as unread with `{"read": false}`.',
    failure: 'Failed to fetch received faxes',
    params: byId,
    body: z.object({ read: z.boolean().default(true) }).default({ read: true }),
    reply: receivedFax,
  }),
  deleteReceived: del('/received/:id', 'delete_received', {
    zone: 'granted',
    rate: 'inbound_get',
    summary:
      'Delete the document of a received fax now, with what was recognized on its pages. Its details stay, as after retention. For keys that were created with `received_delete`. Refused under a legal hold and while deletions are paused.',
    failure: 'Failed to delete the document',
    audits: ['inbound_deleted'],
    params: byId,
    reply: receivedFax,
  }),
  archiveReceived: post('/received/archive', 'read_received', {
    ...open,
    summary: `The documents of up to ${maxInboundDownloaded} received faxes as a zip of PDFs, streamed.`,
    failure: 'Download failed',
    shortError: 'Download failed',
    audits: ['inbound_pdf_served'],
    body: z.object({ ids: z.array(faxId).min(1).max(maxInboundDownloaded) }),
    reply: 'zip',
  }),
}
