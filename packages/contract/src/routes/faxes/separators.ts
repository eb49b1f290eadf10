import { z } from 'zod'
import { post } from '../../route.ts'
import { coverFields, givenName, sentForGroup, tones, unreadable } from '../../shapes.ts'
import { fax, quote } from './faxes.ts'

/** One fax of an upload that is split at its separator sheets. */
export const splitPart = quote.extend({
  /** The number on its sheet. */
  to: z.string(),
  reference: z.string().nullable(),
  /** Pages of the upload, counted from 1; its sheet is the page before. */
  first_page: z.number().int(),
  last_page: z.number().int(),
})
export type SplitPart = z.infer<typeof splitPart>

const splitting = coverFields.extend({
  ...sentForGroup,
  tones: tones.default('auto'),
  unreadable: unreadable.default('refuse'),
})

/** Sheets of paper that stand between the faxes of one scan. */
export const separatorRoutes = {
  printSeparator: post('/fax/separators', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'A separator sheet to print, as PDF: its QR codes carry the number that the pages after it go to, and a reference, sealed with the key of this installation.',
    failure: 'Failed to make the separator sheet',
    body: z.object({
      to: z.string(),
      reference: givenName(80).optional(),
      allow_unlikely_number: z.boolean().optional(),
    }),
    reply: 'pdf',
  }),
  quoteSplit: post('/fax/split/quote', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'How a document would be split at its separator sheets: for each fax its number, reference, pages and predicted minutes. Nothing is sent or stored.',
    failure: 'Failed to read the separator sheets',
    form: splitting,
    reply: z.object({ pages: z.number().int(), parts: z.array(splitPart) }),
  }),
  splitFax: post('/fax/split', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'Split a document at its separator sheets and send each part to the number on its sheet; the sheets are not sent. All faxes are accepted or none, in the order of the sheets. Options are those of `POST /fax`. With an Idempotency-Key header, a repeated call returns the first faxes.',
    failure: 'Failed to send the faxes',
    audits: ['job_created'],
    shortError: 'Send failed',
    form: splitting,
    reply: z.object({ faxes: z.array(fax) }),
    status: 202,
    idempotent: true,
  }),
}
