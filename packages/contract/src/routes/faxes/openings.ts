import { z } from 'zod'
import { post } from '../../route.ts'
import { byId, givenName, instant } from '../../shapes.ts'

/** How many faxes a person may try to open with a reason within an hour. */
export const maxOpeningsAnHour = 10

const faxOpened = z.object({ direction: z.enum(['sent', 'received']), until: instant })
export type FaxOpened = z.infer<typeof faxOpened>

/** Emergency access to a fax outside of one's groups. */
export const openingRoutes = {
  openFax: post('/admin/faxes/:id/open', 'break_glass', {
    summary:
      'Open one fax outside of your groups by giving a reason, for as long as `break_glass_minutes` says. Each attempt is recorded, and the fax shows who opened it.',
    failure: 'Failed to open the fax',
    audits: ['fax_opened_with_reason', 'fax_opening_missed'],
    params: byId,
    body: z.strictObject({
      reason: givenName(300).refine((text) => text.length >= 3, { error: 'Give a reason of at least 3 characters.' }),
    }),
    reply: faxOpened,
  }),
}
