import { z } from 'zod'
import { get, post } from '../../route.ts'
import { byId, faxId, instant } from '../../shapes.ts'
import { jobFilter } from './jobs.ts'

/** What can be done with many jobs at once. */
const bulkKind = z.enum(['cancel', 'release', 'resend'])
export type BulkKind = z.infer<typeof bulkKind>
/** At most this many jobs in one bulk action. */
export const maxBulk = 50_000

const bulkAction = z.object({
  id: faxId,
  action: bulkKind,
  total: z.number().int(),
  /** Of these the action was carried out. */
  done: z.number().int(),
  /** These were left as they are, because they changed meanwhile or could not be changed. */
  refused: z.number().int(),
  /** Why the first of those was left. */
  refusal: z.string().nullable(),
  created_at: instant,
  /** Null while it goes on. */
  finished_at: instant.nullable(),
})
export type BulkAction = z.infer<typeof bulkAction>

/** Sending again takes delivered faxes too, and those whose number has no fax; without it, they are left out. */
const force = z.boolean().optional()

export const bulkRoutes = {
  countBulk: get('/admin/bulk-actions/count', 'handle_faxes', {
    summary: 'How many of the filtered jobs can be canceled, released or sent again, counted up to 50,000.',
    failure: 'Failed to count the faxes',
    query: jobFilter.extend({ action: bulkKind, force: z.enum(['true', 'false']).optional() }),
    reply: z.object({ count: z.number().int(), is_minimum: z.boolean() }),
  }),
  createBulk: post('/admin/bulk-actions', 'handle_faxes', {
    summary:
      'Cancel, release or send again all filtered jobs for which that is possible. If more than `confirmed` match, the call is refused. The caller chooses the id, 32 hex characters; a repeated call with the same id returns the same action.',
    failure: 'Failed to change the faxes',
    audits: ['bulk_started'],
    body: z.object({
      id: faxId,
      action: bulkKind,
      filter: jobFilter,
      force,
      /** How many a person agreed to. */
      confirmed: z.number().int().min(1).max(maxBulk),
    }),
    reply: bulkAction,
    status: 202,
  }),
  getBulk: get('/admin/bulk-actions/:id', 'handle_faxes', {
    summary: 'The progress of a bulk action.',
    failure: 'Failed to fetch the progress',
    params: byId,
    reply: bulkAction,
  }),
  stopBulk: post('/admin/bulk-actions/:id/stop', 'handle_faxes', {
    summary: 'Stop a bulk action. Changes already made stay.',
    failure: 'Failed to stop',
    audits: ['bulk_stopped'],
    params: byId,
    reply: bulkAction,
  }),
}
