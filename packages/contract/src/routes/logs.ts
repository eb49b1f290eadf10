import { z } from 'zod'
import { route } from '../route.ts'
import { instant } from '../shapes.ts'

export const logEntry = z.looseObject({
  ts: instant,
  event: z.string(),
  job_id: z.string().optional(),
  key_id: z.string().optional(),
  backend: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  to: z.string().optional(),
  from: z.string().optional(),
  path: z.string().optional(),
})
export type LogEntry = z.infer<typeof logEntry>

const filter = z.object({ q: z.string().max(200).optional(), event: z.string().max(60).optional() })

export const logRoutes = {
  listLogs: route({
    method: 'GET',
    path: '/admin/logs',
    permission: 'read_trail',
    summary: 'Audit events, newest first.',
    failure: 'Failed to load logs',
    query: filter.extend({
      since: z.iso.datetime({ offset: true }).optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
    }),
    reply: z.object({ items: z.array(logEntry), count: z.number().int() }),
  }),
  tailLogFile: route({
    method: 'GET',
    path: '/admin/logs/tail',
    permission: 'read_trail',
    summary: 'The end of the audit file, oldest first.',
    failure: 'Failed to load logs',
    query: filter.extend({ lines: z.coerce.number().int().min(1).max(20_000).default(2000) }),
    reply: z.object({ items: z.array(logEntry), count: z.number().int(), source: z.string() }),
  }),
  verifyAuditChain: route({
    method: 'POST',
    path: '/admin/logs/verify',
    permission: 'read_trail',
    summary: 'Recompute the hash chain of the audit trail.',
    failure: 'Failed to load logs',
    reply: z.object({
      intact: z.boolean(),
      checked: z.number().int(),
      /** The first entry that does not fit, when the chain is broken. */
      broken_at: z.number().int().nullable(),
    }),
  }),
}
