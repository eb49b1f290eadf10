import { z } from 'zod'
import { get, post } from '../../route.ts'
import {
  allowUnlikelyNumber,
  byId,
  coverFields,
  faxId,
  instant,
  sentForGroup,
  tones,
  unreadable,
} from '../../shapes.ts'
import { failureKind, faxStatus } from './faxes.ts'

/** How the faxes of a broadcast stand; each is counted once. */
export const broadcastCounts = z.object({
  queued: z.number().int(),
  /** Being prepared or sent, or waiting for another attempt. */
  in_progress: z.number().int(),
  delivered: z.number().int(),
  /** Every attempt failed, and nothing of it arrived. */
  failed: z.number().int(),
  cancelled: z.number().int(),
  /** It is unknown whether it arrived, or only a part of it did: a person decides. */
  unconfirmed: z.number().int(),
})
export type BroadcastCounts = z.infer<typeof broadcastCounts>

const refusedRow = z.object({
  /** The line of the list, or the entry of a JSON array, from 1. */
  row: z.number().int(),
  text: z.string(),
  reason: z.string(),
})

/** One document to many numbers. */
export const broadcast = z.object({
  id: faxId,
  /** `paused`: no fax of it is begun. `cancelling`: calls that are up are waited for. `finished`: nothing more happens by itself. */
  state: z.enum(['sending', 'paused', 'cancelling', 'finished']),
  /** Faxes it has: one for each number. */
  faxes: z.number().int(),
  counts: broadcastCounts,
  /** Rows left out because their number stood in the list before. */
  duplicates: z.number().int(),
  /** Rows skipped because they name no fax number. */
  skipped: z.number().int(),
  file_name: z.string().nullable(),
  /** Of each fax, its cover page included. */
  pages: z.number().int(),
  /** True on the test line and in an account in test mode: no fax is sent. */
  test: z.boolean(),
  /** The broadcast whose failed faxes this one sends again. */
  parent_id: faxId.nullable(),
  cancelled_at: instant.nullable(),
  created_at: instant,
})
export type Broadcast = z.infer<typeof broadcast>

export const broadcastDetail = broadcast.extend({
  /** Failed faxes that are sent again: not canceled, not sent again since, and not of those below. */
  resendable: z.number().int(),
  /** Failed faxes to a number that is not in service, or that a person answered: sent again only with `force`. */
  number_failed: z.number().int(),
  skipped_rows: z.array(refusedRow),
})
export type BroadcastDetail = z.infer<typeof broadcastDetail>

export const broadcastRecipient = z.object({
  /** Its place in the broadcast, from 1. */
  n: z.number().int(),
  fax_id: faxId,
  to: z.string(),
  name: z.string().nullable(),
  reference: z.string().nullable(),
  status: faxStatus,
  needs_attention: z.boolean(),
  error: z.string().nullable(),
  error_kind: failureKind.nullable(),
})

const ofFaxes = { zone: 'public', rate: 'fax_read', params: byId, reply: broadcastDetail } as const

/** Broadcasts: a key acts on those that it sees. */
export const broadcastRoutes = {
  createBroadcast: post('/fax/broadcasts', 'send_faxes', {
    zone: 'public',
    rate: 'fax_send',
    summary:
      'Send one document to up to 5,000 numbers. `recipients` is a list of numbers, CSV (columns fax, name, reference), or a JSON array of numbers or of objects with `to`, `name` and `reference`; it may come as a field or as a file. Every number gets one fax: repeated ones are left out. When a row names no fax number, nothing is sent and the answer names every such row; with `skip_invalid=true` they are skipped. Numbers that most likely do not exist are refused with `number_unlikely`, each row named, unless `allow_unlikely_number` is `true`. Either all faxes are accepted or none. Other options are those of `POST /fax` except `metadata`; without `cover_to`, a cover page is addressed to the name of its recipient. With an Idempotency-Key header, a repeated call returns the first broadcast.',
    failure: 'Failed to send the broadcast',
    audits: ['broadcast_created', 'job_created'],
    shortError: 'Send failed',
    form: coverFields.extend({
      ...sentForGroup,
      recipients: z.string().min(1).max(1_000_000),
      skip_invalid: z.enum(['true', 'false']).default('false'),
      allow_unlikely_number: allowUnlikelyNumber,
      tones: tones.default('auto'),
      unreadable: unreadable.default('refuse'),
    }),
    reply: broadcastDetail,
    status: 202,
    idempotent: true,
  }),
  listBroadcasts: get('/fax/broadcasts', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary: 'Broadcasts, newest first: those of the calling key, or all for a key that sees all faxes.',
    failure: 'Failed to fetch broadcasts',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(50).default(20),
      cursor: z.string().max(120).optional(),
    }),
    reply: z.object({ broadcasts: z.array(broadcast), next_cursor: z.string().nullable() }),
  }),
  getBroadcast: get('/fax/broadcasts/:id', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary: 'One broadcast with its counts by outcome, and the rows that were skipped.',
    failure: 'Failed to fetch the broadcast',
    params: byId,
    reply: broadcastDetail,
  }),
  listBroadcastRecipients: get('/fax/broadcasts/:id/recipients', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary: 'The recipients of a broadcast in the order of its list, each with its fax. `after` is the last `n` seen.',
    failure: 'Failed to fetch the recipients',
    params: byId,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1000).default(200),
      after: z.coerce.number().int().min(0).default(0),
    }),
    reply: z.object({ recipients: z.array(broadcastRecipient), next_after: z.number().int().nullable() }),
  }),
  exportBroadcast: get('/fax/broadcasts/:id/outcomes.csv', 'read_faxes', {
    zone: 'public',
    rate: 'fax_read',
    summary: 'The outcome of each fax of a broadcast, as streamed CSV. Numbers are not masked: the sender gave them.',
    failure: 'Failed to export the outcomes',
    audits: ['broadcast_exported'],
    shortError: 'Download failed',
    params: byId,
    reply: 'csv',
  }),
  pauseBroadcast: post('/fax/broadcasts/:id/pause', 'send_faxes', {
    ...ofFaxes,
    summary: 'Pause a broadcast: no further fax is started. Calls in progress are allowed to finish. Safe to repeat.',
    failure: 'Failed to pause the broadcast',
    audits: ['broadcast_paused'],
  }),
  resumeBroadcast: post('/fax/broadcasts/:id/resume', 'send_faxes', {
    ...ofFaxes,
    summary: 'Resume a paused broadcast. Safe to repeat.',
    failure: 'Failed to resume the broadcast',
    audits: ['broadcast_resumed'],
  }),
  cancelBroadcast: post('/fax/broadcasts/:id/cancel', 'send_faxes', {
    ...ofFaxes,
    summary:
      'Cancel every fax of a broadcast that has not been sent. Calls in progress are allowed to finish and are not retried. This cannot be undone. Safe to repeat.',
    failure: 'Failed to cancel the broadcast',
    audits: ['broadcast_cancelled'],
  }),
  resendBroadcast: post('/fax/broadcasts/:id/resend', 'send_faxes', {
    ...ofFaxes,
    body: z
      .object({
        allow_unlikely_number: z.boolean().optional(),
        /** Also to numbers that are not in service, or that a person answered. */
        force: z.boolean().optional(),
      })
      .default({}),
    rate: 'fax_send',
    summary:
      'Send the failed faxes of a broadcast again, as a new broadcast. Faxes that were delivered, are unconfirmed, were canceled, or were sent again since are left out; so are numbers that are not in service or that a person answered, unless `force` is true. `allow_unlikely_number` is as for a new broadcast. With an Idempotency-Key header, a repeated call returns the first one.',
    failure: 'Failed to send the faxes again',
    audits: ['broadcast_created', 'job_created'],
    shortError: 'Send failed',
    status: 202,
    idempotent: true,
  }),
}
