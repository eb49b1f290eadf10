import { z } from 'zod'
import { get, post } from '../../route.ts'
import { faxId, instant } from '../../shapes.ts'
import { inboundFilter } from './inbound.ts'

/** The maximum of faxes in one download. */
export const maxInboundDownloaded = 200
/** Megabytes of documents that become one PDF: it is made in memory. A zip is streamed and may hold more. */
export const maxJoinedMegabytes = 50

const chosen = z.object({ ids: z.array(faxId).min(1).max(maxInboundDownloaded) })

/** What can be done with many received faxes at once. */
export const inboundManyRoutes = {
  countInbound: get('/admin/inbound/count', 'list_received', {
    summary: 'How many received faxes match, counted up to 10,000.',
    failure: 'Failed to fetch inbound faxes',
    query: inboundFilter,
    reply: z.object({
      total: z.number().int(),
      /** There are more than `total`. */
      total_is_minimum: z.boolean(),
    }),
  }),
  markManyInboundRead: post('/admin/inbound/read', 'read_received', {
    summary: 'Mark several received faxes as read or unread.',
    failure: 'Failed to fetch inbound faxes',
    body: z.object({ ids: z.array(faxId).min(1).max(500), read: z.boolean() }),
    reply: z.object({ changed: z.number().int() }),
  }),
  markAllInboundRead: post('/admin/inbound/read-all', 'read_received', {
    summary:
      'Mark every fax received up to an instant as read. Faxes that need a look stay unread, because a person has to look at each of them.',
    failure: 'Failed to fetch inbound faxes',
    body: z.object({
      /** What arrives after it stays unread: nobody has seen it in a list. */
      until: instant,
    }),
    reply: z.object({ changed: z.number().int() }),
  }),
  downloadInboundPdf: post('/admin/inbound/download/pdf', 'read_received', {
    summary: `The documents of up to ${maxInboundDownloaded} received faxes as one PDF of at most ${maxJoinedMegabytes} MB, in the order given.`,
    failure: 'Download failed',
    shortError: 'Download failed',
    audits: ['inbound_pdf_served'],
    body: chosen,
    reply: 'pdf',
  }),
  downloadInboundZip: post('/admin/inbound/download/zip', 'read_received', {
    summary: `The documents of up to ${maxInboundDownloaded} received faxes as a zip of PDFs, streamed.`,
    failure: 'Download failed',
    shortError: 'Download failed',
    audits: ['inbound_pdf_served'],
    body: chosen,
    reply: 'zip',
  }),
}
