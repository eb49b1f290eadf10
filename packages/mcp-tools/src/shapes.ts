import {
  coverFields,
  type Fax,
  faxId,
  type FaxRequest,
  instant,
  pageNote,
  tones as faxTones,
  unreadable as faxUnreadable,
} from '@faxdeck/contract'
import { z } from 'zod'

export const content_base64 = z
  .string()
  .min(1)
  .optional()
  .describe(
    'The document in base64: PDF, text, an image (PNG, JPEG, TIFF, GIF, WebP, AVIF, HEIC, BMP), Word, OpenDocument, RTF, HTML or email.',
  )
export const upload_id = z
  .string()
  .max(100)
  .optional()
  .describe('Instead of content_base64: the id that POST /fax/uploads returned to the same key within the last hour.')
export const file_name = z.string().max(120).optional().describe('The name that people see.')
export const to = z.string().min(1).max(40).describe('The number to fax to, best in international form: +15555550123.')
export const tones = faxTones
  .default('auto')
  .describe('How pages are converted to black and white: for text, for photos, or automatically for each part.')
export const unreadable = faxUnreadable
  .default('refuse')
  .describe(
    'What happens to a fax with a page that loses writing or comes out blank, where Faxdeck draws the pages: refuse fails it, send sends it with a note. Ask the user before you choose send.',
  )
export const allow_unlikely_number = z
  .boolean()
  .default(false)
  .describe(
    'Dials the number although it most likely does not exist, which is otherwise refused as number_unlikely. Ask the user to check the number first.',
  )
const page_notes = z
  .array(pageNote.pick({ page: true, kind: true, sentence: true }))
  .describe(
    'Pages on which writing is lost, or that come out blank, as Faxdeck draws them; empty when all can be read, or when the provider draws the pages itself and they were not checked.',
  )
const { cover, cover_to, cover_from, cover_subject, cover_note } = coverFields.shape
/** The fields of a cover page. */
export const coverShape = {
  cover: cover.describe('The cover page before the document. Default: the one in the settings, or none.'),
  cover_to: cover_to.describe('The person or office that the fax is for, on the cover page.'),
  cover_from: cover_from.describe('The sender, on the cover page.'),
  cover_subject: cover_subject.describe('On the cover page.'),
  cover_note: cover_note.describe('On the cover page: several lines, as many as fit.'),
}
export const id = faxId.describe('The id of the fax, 32 hex characters.')
export const idOrRequest = z
  .string()
  .regex(/^(apr_)?[0-9a-f]{32}$/, 'An id is 32 hex characters, with apr_ before them while a person has to decide.')
  .describe('The id that send_fax returned.')
export const text = z.string()

export const quote = z.object({
  pages: z.int(),
  seconds: z.number(),
  minutes: z.int(),
  bytes_per_page: z.array(z.int()),
  page_notes,
  drawn_by_provider: z
    .boolean()
    .describe('The provider draws the pages from the document itself: page_notes do not say what arrives.'),
  quote_id: text.nullable(),
  quote_expires_at: instant.nullable(),
})
export const faxState = z.object({
  id: text,
  status: text,
  error: text.nullable(),
  needs_attention: z.boolean(),
  test: z
    .boolean()
    .describe(
      'True on the test line and in an account in test mode: no fax is sent, and SUCCESS means that the test passed.',
    ),
  pages: z.int().nullable(),
  pages_confirmed: z.int().nullable(),
  page_notes,
  /** Of a fax that a person has to approve, or had to. */
  approval: z
    .object({
      id: text,
      state: z.enum(['waiting', 'approved', 'refused', 'expired']),
      expires_at: instant,
      decided_at: instant.nullable(),
    })
    .nullable(),
})
export const sentState = faxState.extend({
  repeated: z.boolean().describe('This exact fax was already requested: nothing more is sent.'),
})
type FaxState = z.infer<typeof faxState>
export const listed = z.object({
  id: text,
  to_number: text,
  status: text,
  pages: z.int().nullable(),
  error: text.nullable(),
  created_at: instant,
})
export const received = z.object({
  id: text,
  fr: text.nullable(),
  to: text.nullable(),
  status: text,
  pages: z.int().nullable(),
  received_at: instant,
})

export const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
export const sends = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
export const stops = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }

export const stateOfFax = (fax: Fax): FaxState => faxState.parse({ ...fax, approval: null })

const withoutFax = {
  waiting: {
    status: 'waiting_for_approval',
    error: 'A person has to approve this fax in the console first. Nothing was sent yet.',
  },
  approved: { status: 'approved', error: 'It was approved, but its record is no longer stored.' },
  refused: {
    status: 'refused',
    error: 'A person refused this fax. Nothing was sent. Ask the user before trying again.',
  },
  expired: {
    status: 'expired',
    error: 'Nobody approved this fax in time. Nothing was sent. You can request it again.',
  },
} as const

/** A request as the state of a fax: that of the fax which came of it, when there is one. */
export function stateOfRequest({ approval, fax }: FaxRequest): FaxState {
  if (fax) return faxState.parse({ ...fax, approval })
  const { id = '', state = 'waiting', pages = null } = approval ?? {}
  return faxState.parse({
    id,
    ...withoutFax[state],
    needs_attention: false,
    test: false,
    pages,
    pages_confirmed: null,
    page_notes: [],
    approval,
  })
}
