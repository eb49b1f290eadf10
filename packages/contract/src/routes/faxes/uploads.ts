import { z } from 'zod'
import { post } from '../../route.ts'
import { documentKind, instant } from '../../shapes.ts'

/** Ids of uploaded documents: `upl_` and 32 hex characters. */
export const uploadId = z.string().regex(/^upl_[0-9a-f]{32}$/, 'The id of an upload is upl_ and 32 hex characters.')

/** Documents that are handed over before the fax is asked for. */
export const uploadRoutes = {
  uploadDocument: post('/fax/uploads', 'send_faxes', {
    zone: 'public',
    takesTokens: true,
    rate: 'fax_send',
    summary:
      'Upload a document for a later request. For an hour, the same key can quote it and request to fax it by its id; nothing else can be done with it. Where MCP accepts access tokens, so does this call.',
    failure: 'Failed to upload the document',
    form: z.object({}),
    reply: z.object({
      id: uploadId,
      kind: documentKind,
      pages: z.number().int(),
      size_bytes: z.number().int(),
      expires_at: instant,
    }),
    status: 201,
  }),
}
