import { z } from 'zod'
import { get, post } from '../route.ts'
import { byId, instant } from '../shapes.ts'

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

/** A place outside that the audit trail is copied to. */
const trailCopy = z.object({
  sink: z.enum(['syslog', 'webhook', 'file']),
  target: z.string(),
  /** The last entry that is certainly there; 0 if there is none. */
  copied: z.number().int(),
  /** Entries that it lacks. */
  behind: z.number().int(),
  /** When the oldest of those was recorded. */
  waiting_since: instant.nullable(),
  sent_at: instant.nullable(),
  /** When the newest entry was last named there. */
  anchored_at: instant.nullable(),
  /** Why the last try failed. */
  error: z.string().nullable(),
  /** `standing`: behind for 15 minutes or longer. `cut`: the database no longer has what was copied. */
  state: z.enum(['ok', 'failing', 'standing', 'cut']),
  /** Every entry before it is as it was copied. It or a later one is missing or different, which a comparison shows. */
  cut_at: z.number().int().nullable(),
})
export type TrailCopy = z.infer<typeof trailCopy>

const trailComparison = z.object({
  fits: z.boolean(),
  /** The first entry that does not fit. */
  at: z.number().int().nullable(),
  /** The database lacks it, or has another one in its place: `restored` when that one records that a backup was restored. */
  problem: z.enum(['missing', 'different', 'restored']).nullable(),
  /** The newest entry of the database. */
  newest: z.number().int(),
})
export type TrailComparison = z.infer<typeof trailComparison>

/** Entries that are compared at once. */
export const maxCompared = 1000

const filter = z.object({ q: z.string().max(200).optional(), event: z.string().max(60).optional() })

/** How somebody saw a document: a page of it, its file, on paper, or some of its words in the results of a search. */
const faxViewKinds = ['opened', 'downloaded', 'printed', 'found'] as const
export type FaxViewKind = (typeof faxViewKinds)[number]

const faxView = z.object({
  at: instant,
  how: z.enum(faxViewKinds),
  /** The key or person. */
  key_id: z.string(),
  /** What they were called then; null for the first key and for keys without a name. */
  name: z.string().nullable(),
})
export type FaxView = z.infer<typeof faxView>

export const logRoutes = {
  listFaxViews: get('/admin/faxes/:id/views', 'read_trail', {
    summary:
      'Who opened, downloaded or printed a fax, newest first, at most 500 entries. Thumbnails in lists do not count.',
    failure: 'Failed to load who opened the fax',
    params: byId,
    reply: z.object({
      views: z.array(faxView),
      /** False where views are not recorded now (`audit_document_views`). */
      recorded: z.boolean(),
    }),
  }),
  notePrint: post('/admin/faxes/:id/printed', 'use_console', {
    summary: 'Record that a fax is printed from the console. Call it before its pages are handed to the printer.',
    failure: 'Failed to print the fax',
    audits: ['document_printed'],
    params: byId,
    reply: 'none',
  }),
  listLogs: get('/admin/logs', 'read_trail', {
    summary: 'Audit events, newest first.',
    failure: 'Failed to load logs',
    query: filter.extend({
      since: z.iso.datetime({ offset: true }).optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
    }),
    reply: z.object({ items: z.array(logEntry), count: z.number().int() }),
  }),
  tailLogFile: get('/admin/logs/tail', 'read_trail', {
    summary: 'The end of the audit file, oldest first.',
    failure: 'Failed to load logs',
    query: filter.extend({ lines: z.coerce.number().int().min(1).max(20_000).default(2000) }),
    reply: z.object({ items: z.array(logEntry), count: z.number().int(), source: z.string() }),
  }),
  listTrailCopies: get('/admin/logs/copies', 'read_trail', {
    summary: 'How far the audit trail has been copied to each destination.',
    failure: 'Failed to load the state of the copies',
    reply: z.array(trailCopy),
  }),
  compareTrail: post('/admin/logs/compare', 'read_trail', {
    summary: 'Compare entries or anchors of a copy with the audit trail in the database.',
    failure: 'Failed to compare the copy',
    body: z.object({
      entries: z
        .array(z.object({ seq: z.number().int().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) }))
        .min(1)
        .max(maxCompared),
    }),
    reply: trailComparison,
  }),
  verifyAuditChain: post('/admin/logs/verify', 'read_trail', {
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
