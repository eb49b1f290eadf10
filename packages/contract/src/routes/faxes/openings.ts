import { z } from 'zod'
import { post } from '../../route.ts'
import { byId, faxId, givenName, instant } from '../../shapes.ts'

/** How many faxes a person may try to open with a reason within an hour. */
export const maxOpeningsAnHour = 10

const faxOpened = z.object({ direction: z.enum(['sent', 'received']), until: instant })
export type FaxOpened = z.infer<typeof faxOpened>

const reason = givenName(300).refine((text) => text.length >= 3, {
  error: 'Give a reason of at least 3 characters.',
})

/** As much of a fax as it takes to choose it: nothing of its content. */
const openableFax = z.object({
  id: faxId,
  direction: z.enum(['sent', 'received']),
  /** When it was sent in or received. */
  at: instant,
  /** Of the other side, masked. */
  number: z.string().nullable(),
  pages: z.number().int().nullable(),
  /** The caller sees it anyway: no reason is needed to open it. */
  visible: z.boolean(),
})
export type OpenableFax = z.infer<typeof openableFax>

/** How many faxes a search with a reason shows. */
export const maxOpenableFaxes = 20

/** Emergency access to a fax outside of one's groups. */
export const openingRoutes = {
  openFax: post('/admin/faxes/:id/open', 'break_glass', {
    summary:
      'Open one fax outside of your groups by giving a reason, for as long as `break_glass_minutes` says. Each attempt is recorded, and the fax shows who opened it.',
    failure: 'Failed to open the fax',
    audits: ['fax_opened_with_reason', 'fax_opening_missed'],
    params: byId,
    body: z.strictObject({ reason }),
    reply: faxOpened,
  }),
  findFaxesToOpen: post('/admin/faxes/find', 'break_glass', {
    summary:
      'Search for faxes outside of your groups by giving a reason: by number, words on their pages, or both, and a period. Shows at most 20, newest first, and nothing of their content. Each search is recorded and counts as an attempt to open a fax.',
    failure: 'Failed to search for the fax',
    audits: ['fax_search_with_reason'],
    body: z
      .strictObject({
        reason,
        /** Of the other side or of a line, in full. */
        number: z.string().trim().min(5).max(30).optional(),
        /** All of them on one page. */
        words: z.string().trim().min(3).max(200).optional(),
        /** Sent in or received at this instant or later. */
        from: instant.optional(),
        /** Sent in or received before this instant. */
        until: instant.optional(),
      })
      .refine(({ number, words }) => number !== undefined || words !== undefined, {
        error: 'Enter the number of the fax, or words on its pages.',
        path: ['number'],
      }),
    reply: z.object({ faxes: z.array(openableFax), more: z.boolean() }),
  }),
}
