import { z } from 'zod'
import { post } from '../route.ts'
import { givenName, instant } from '../shapes.ts'

const reportAsked = z.strictObject({
  kind: z.enum(['fax', 'number', 'person']),
  /** The id of the fax; the number; the id, or the present or a former name of the person. */
  subject: z.string().trim().min(1).max(120),
  /** Recorded at this instant or later. */
  from: instant.optional(),
  /** Recorded before this instant. */
  until: instant.optional(),
})

/** Everything about one number or person, and what the audit trail says about one, or about a fax. */
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
  reportRecords: post('/admin/records/report', 'read_trail', {
    summary:
      'What the audit trail says about a fax, a number or a person, as a PDF that can be handed on: who did what when, with names, local times and the state of the chain.',
    failure: 'Failed to make the report',
    shortError: 'Download failed',
    audits: ['report_made'],
    body: reportAsked,
    reply: 'pdf',
  }),
  reportRecordsCsv: post('/admin/records/report/csv', 'read_trail', {
    summary: 'The same as CSV. The lines before the first empty line say what the report is about.',
    failure: 'Failed to make the report',
    shortError: 'Download failed',
    audits: ['report_made'],
    body: reportAsked,
    reply: 'csv',
  }),
}
