import { z } from 'zod'
import { get } from '../../route.ts'
import { byId, faxId, instant, place } from '../../shapes.ts'

/** Where on a page the words stand that were looked for. */
const pageMarks = z.object({
  /** Counted from 1. */
  page: z.number().int(),
  places: z.array(place),
})
export type PageMarks = z.infer<typeof pageMarks>

/** What the pages of a fax say, as far as they were read. */
const pageTexts = z.object({
  /** `waiting`: pages are still to be read. `off`: reading was off when it was their turn. */
  state: z.enum(['waiting', 'read', 'unreadable', 'off']),
  /** The pages that were read, in their order. The text of a page on which nothing was found is ''. */
  pages: z.array(z.object({ page: z.number().int(), text: z.string() })),
})
export type PageTexts = z.infer<typeof pageTexts>

/** A fax that was found. */
const foundFax = z.object({
  direction: z.enum(['sent', 'received']),
  id: faxId,
  /** The other side's number: masked of a sent fax, as in the list of jobs. */
  number: z.string().nullable(),
  /** The name of the document that was sent; null of a received fax, and where none was given. */
  name: z.string().nullable(),
  /** The page on which the words were found; 0 when it was found by its ID, its number or the name of its file. */
  page: z.number().int(),
  /** The words around the first one that was found; null when they are not on a page. */
  excerpt: z.string().nullable(),
  at: instant,
})
export type FoundFax = z.infer<typeof foundFax>

const typed = z.string().trim().min(1).max(100)

export const searchRoutes = {
  searchFaxes: get('/admin/search', 'handle_faxes', {
    summary:
      'Sent and received faxes by the words on their pages, their IDs, numbers, file names and codes, newest first.',
    failure: 'Search failed',
    audits: ['document_viewed'],
    query: z.object({ q: typed, limit: z.coerce.number().int().min(1).max(50).default(10) }),
    reply: z.object({ faxes: z.array(foundFax) }),
  }),
  getJobMarks: get('/admin/fax-jobs/:id/marks', 'open_faxes', {
    summary: 'Where the searched words are on the pages of a sent fax.',
    failure: 'Search failed',
    params: byId,
    query: z.object({ q: typed }),
    reply: z.object({ pages: z.array(pageMarks) }),
  }),
  getInboundMarks: get('/admin/inbound/:id/marks', 'read_received', {
    summary: 'Where the searched words are on the pages of a received fax.',
    failure: 'Search failed',
    params: byId,
    query: z.object({ q: typed }),
    reply: z.object({ pages: z.array(pageMarks) }),
  }),
  getJobText: get('/admin/fax-jobs/:id/text', 'open_faxes', {
    summary: 'What the pages of a sent fax say, for people who cannot see them. Recorded as a view of its pages.',
    failure: 'Failed to show the text',
    audits: ['document_viewed'],
    params: byId,
    reply: pageTexts,
  }),
  getInboundText: get('/admin/inbound/:id/text', 'read_received', {
    summary: 'What the pages of a received fax say, for people who cannot see them. Recorded as a view of its pages.',
    failure: 'Failed to show the text',
    audits: ['document_viewed'],
    params: byId,
    reply: pageTexts,
  }),
}
