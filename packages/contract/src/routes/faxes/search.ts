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
}
