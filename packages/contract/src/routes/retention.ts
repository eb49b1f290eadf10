import { z } from 'zod'
import { get, post, put } from '../route.ts'
import { faxId, givenName, instant } from '../shapes.ts'

const holdId = z.string().regex(/^[0-9a-f]{12}$/, 'The id of a hold is 12 hex characters.')
const reason = givenName(500)

/** What a hold is about: one fax, a number, a person or key that sends, or a group. */
export const holdKinds = ['fax', 'number', 'person', 'key', 'group'] as const
export type HoldKind = (typeof holdKinds)[number]

const legalHold = z.object({
  id: holdId,
  kind: z.enum(holdKinds),
  /** The id of the fax, person, key or group, or the number. */
  subject: z.string(),
  /** What the person, key or group is called; null for a fax or number, and when it is not there any more. */
  subject_name: z.string().nullable(),
  reason: z.string(),
  /** Whose key, or which person, placed it. */
  placed_by: z.string(),
  placed_by_name: z.string().nullable(),
  placed_at: instant,
  lifted_by: z.string().nullable(),
  lifted_by_name: z.string().nullable(),
  /** Null while it holds. */
  lifted_at: instant.nullable(),
  lift_reason: z.string().nullable(),
})
export type LegalHold = z.infer<typeof legalHold>

const direction = z.enum(['sent', 'received'])
const rule = z.strictObject({
  direction,
  group_id: z.string().max(64),
  /** 0 keeps the documents. */
  days: z.number().int().min(0).max(36_500),
})
export type RetentionRule = z.infer<typeof rule>

const retention = z.object({
  /** The general rule: settings `artifact_ttl_days` and `inbound_retention_days`; 0 keeps the documents. */
  sent_days: z.number().int(),
  received_days: z.number().int(),
  /** Groups for which other numbers of days hold. */
  rules: z.array(rule),
  /** Changes with the rules. Saving needs it, so that nobody overwrites what they have not seen. */
  version: z.string(),
  cleaning: z.object({
    /** The time that deletions go by, no later than it really is; null until a gateway has started. */
    believed_at: instant.nullable(),
    /** Null while documents are deleted. */
    paused_at: instant.nullable(),
    paused_by_name: z.string().nullable(),
    /** Faxes whose documents will be deleted though that is more than usual; 0 when there are none. */
    announced: z.number().int(),
    /** The earliest time of that deletion, unless somebody pauses it. */
    deletes_at: instant.nullable(),
  }),
})
export type Retention = z.infer<typeof retention>

/** Why a document went: its time was over, its request for approval became no fax, or somebody deleted it. */
const deletionReasons = ['retention', 'refused', 'expired', 'duplicate', 'deleted'] as const
export type DeletionReason = (typeof deletionReasons)[number]

export const deletion = z.object({
  /** Its entry in the audit trail. */
  seq: z.number().int(),
  at: instant,
  fax_id: faxId,
  direction,
  /** Of the other side, masked; null when it is not known any more. */
  number: z.string().nullable(),
  /** The group of the fax, and who sent it, as they are called now; null for none. */
  group_name: z.string().nullable(),
  sent_by: z.string().nullable(),
  /** Of the document that was deleted; null when it was not known. */
  sha256: z.string().nullable(),
  pages: z.number().int().nullable(),
  /** When the fax was sent in or received. */
  created_at: instant.nullable(),
  /** `retention`; `refused`, `expired` and `duplicate` for a request for approval that became no fax of its own; `deleted` by a call. */
  reason: z.enum(deletionReasons).nullable(),
  /** After how many days it was deleted by a rule. */
  days: z.number().int().nullable(),
  /** The group whose rule that was; null for the general one. */
  rule_group: z.string().nullable(),
  /** The hash of the entry, which holds that of the one before it. */
  hash: z.string(),
})
export type Deletion = z.infer<typeof deletion>

const deletionPeriod = z.object({
  /** Deleted at this instant or later. */
  from: instant.optional(),
  /** Deleted before this instant. */
  until: instant.optional(),
})

/** How long documents are kept, what keeps them longer, and what was deleted. */
export const retentionRoutes = {
  listHolds: get('/admin/holds', 'manage_holds', {
    summary: 'Legal holds, newest first, including lifted ones; or the active ones that keep one fax.',
    failure: 'Failed to fetch legal holds',
    query: z.object({
      /** Only those in force that keep this fax, whatever they are about. */
      fax: faxId.optional(),
    }),
    queryOptional: true,
    reply: z.array(legalHold),
  }),
  placeHold: post('/admin/holds', 'manage_holds', {
    summary:
      'Place a legal hold: documents of a fax, a number, a person, a key or a group are not deleted until it is lifted.',
    failure: 'Failed to place the hold',
    audits: ['hold_placed'],
    body: z.strictObject({
      kind: z.enum(holdKinds),
      /** For a number also the id of a fax: the number of its other side. */
      subject: z.string().trim().min(1).max(64),
      reason,
    }),
    reply: legalHold,
    status: 201,
  }),
  liftHold: post('/admin/holds/:id/lift', 'manage_holds', {
    confirm: true,
    summary: 'Lift a legal hold. Documents that are past their retention period are deleted within the hour.',
    failure: 'Failed to lift the hold',
    audits: ['hold_lifted'],
    params: z.object({ id: holdId }),
    body: z.strictObject({ reason }),
    reply: legalHold,
  }),
  getRetention: get('/admin/retention', 'manage_holds', {
    summary: 'How long documents are kept, in general and by group.',
    failure: 'Failed to fetch the retention rules',
    reply: retention,
  }),
  setRetention: put('/admin/retention', 'manage_holds', {
    confirm: true,
    summary:
      'Replace the retention rules of groups. Refused when they have changed since they were read. The general rule is a setting.',
    failure: 'Failed to save the retention rules',
    audits: ['retention_changed'],
    body: z.strictObject({
      rules: z.array(rule).max(1000),
      /** As `getRetention` gave it. */
      version: z.string().max(64),
    }),
    reply: retention,
  }),
  pauseDeletions: post('/admin/retention/pause', 'manage_holds', {
    summary: 'Pause retention: no document is deleted because it is past its time, until retention is resumed.',
    failure: 'Failed to pause retention',
    audits: ['deletions_paused'],
    reply: retention,
  }),
  resumeDeletions: post('/admin/retention/resume', 'manage_holds', {
    confirm: true,
    summary:
      'Resume retention. What became due during the pause is announced for a day before it is deleted, if it is more than usual.',
    failure: 'Failed to resume retention',
    audits: ['deletions_resumed'],
    reply: retention,
  }),
  confirmClock: post('/admin/retention/clock', 'manage_holds', {
    confirm: true,
    summary: 'Confirm that the clock of this machine is right: deletions go by it from now on.',
    failure: 'Failed to confirm the clock',
    audits: ['clock_confirmed'],
    reply: retention,
  }),
  listDeletions: get('/admin/deletions', 'read_trail', {
    summary: 'Documents that were deleted, newest first, with the entry of the audit trail that proves it.',
    failure: 'Failed to fetch deletions',
    query: deletionPeriod.extend({
      /** Only entries before this one. */
      before: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
    }),
    reply: z.object({
      deletions: z.array(deletion),
      /** What to give as `before` for the next page; null at the end. */
      next: z.number().int().nullable(),
    }),
  }),
  exportDeletions: get('/admin/deletions/csv', 'read_trail', {
    summary: 'The same as CSV, streamed.',
    failure: 'Failed to export deletions',
    shortError: 'Download failed',
    query: deletionPeriod,
    queryOptional: true,
    reply: 'csv',
  }),
}
