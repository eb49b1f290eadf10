import { z } from 'zod'
import { post } from '../route.ts'
import { givenName } from '../shapes.ts'

/** Everything about one number or person. */
export const recordRoutes = {
  exportRecords: post('/admin/records/export', 'export_records', {
    confirm: true,
    summary:
      'Everything about one number or one person as a zip, streamed: faxes, documents, requests, uploads, webhook deliveries and the audit trail, with a manifest.',
    failure: 'Failed to export the records',
    shortError: 'Download failed',
    audits: ['records_exported', 'records_export_ended'],
    body: z.strictObject({
      kind: z.enum(['number', 'person']),
      /** The number, or the id of the person. */
      subject: z.string().trim().min(1).max(64),
      reason: givenName(500),
    }),
    reply: 'zip',
  }),
}
