import { z } from 'zod'
import { get, post } from '../../route.ts'
import { byId, coverFields, documentKind, faxId, groupId, pageOf, pageWidth, tones } from '../../shapes.ts'
import { quote } from './faxes.ts'

/** A document that is looked at before it is sent. */
const preview = z.object({
  id: faxId,
  kind: documentKind,
  /** The cover page included. */
  pages: z.number().int(),
  estimated_seconds: z.number(),
})

/** Pages of a document before it is sent. */
export const previewRoutes = {
  createPreview: post('/admin/previews', 'preview_documents', {
    summary: 'Measure a document before sending it. Its pages can be seen for 15 minutes.',
    failure: 'Failed to prepare the preview',
    form: z.object({}),
    reply: preview,
    status: 201,
  }),
  coverPreview: post('/admin/previews/:id/cover', 'preview_documents', {
    summary:
      'The same document with a cover page, as a separate preview that expires with the first. It names the number of `group_id`.',
    failure: 'Failed to prepare the preview',
    params: byId,
    body: coverFields.extend({ to: z.string().max(40).optional(), group_id: groupId.optional() }),
    reply: preview,
    status: 201,
  }),
  quotePreview: get('/admin/previews/:id/quote', 'preview_documents', {
    summary: 'Bytes and predicted minutes of a previewed document.',
    failure: 'Failed to measure the pages',
    params: byId,
    query: z.object({ tones: tones.default('auto') }),
    reply: quote,
  }),
  getPreviewPage: get('/admin/previews/:id/pages/:page', 'preview_documents', {
    summary: 'One page of a previewed document as it would be faxed, with the number of `group_id` in its header line.',
    failure: 'Failed to prepare the preview',
    params: pageOf,
    query: pageWidth.extend({ tones: tones.default('auto'), group_id: groupId.optional() }),
    reply: 'png',
  }),
}
