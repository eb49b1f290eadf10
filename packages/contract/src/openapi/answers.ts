import type { z } from 'zod'
import type { RouteName, Routes } from '../routes.ts'

/** What a call answers; a type of its own for those that answer JSON. */
type AnswerOf<N extends RouteName> = Routes[N]['reply'] extends z.ZodType<infer A> ? A : never
type Answers = { [N in RouteName]?: AnswerOf<N> }

const faxId = '3f2a9c0b7d5e41868a1c6f0e92b4d7a5'
const otherId = '9b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e'
const webhookId = '5d4c3b2a190847f6a5b4c3d2e1f00918'
const messageId = 'msg_0123456789abcdef0123456789abcdef'
const [accepted, done] = ['2026-11-22T18:12:02.000Z', '2026-11-22T18:12:43.000Z']

const queued = {
  id: faxId,
  to: '+15555550123',
  status: 'queued',
  error: null,
  error_kind: null,
  needs_attention: false,
  held: null,
  waiting_for: null,
  next_try_at: null,
  pages: 2,
  cover: 'formal',
  page_notes: [],
  codes: [],
  pages_confirmed: null,
  backend: 'phaxio',
  test: false,
  provider_sid: null,
  reference: 'letter-4711',
  metadata: { patient: 'P-1029', ward: '3B' },
  broadcast_id: null,
  created_at: accepted,
  updated_at: accepted,
} satisfies AnswerOf<'submitFax'>

const delivered = {
  ...queued,
  status: 'SUCCESS',
  pages_confirmed: 2,
  provider_sid: '123456789',
  updated_at: done,
} satisfies AnswerOf<'getFax'>

const cancelled = {
  ...queued,
  status: 'FAILED',
  error: 'Canceled before it was sent.',
  error_kind: 'cancelled',
  updated_at: done,
} satisfies AnswerOf<'cancelFax'>

const broadcast = {
  id: otherId,
  state: 'sending',
  faxes: 2,
  counts: { queued: 1, in_progress: 1, delivered: 0, failed: 0, cancelled: 0, unconfirmed: 0 },
  duplicates: 0,
  skipped: 0,
  file_name: 'letter.pdf',
  pages: 2,
  test: false,
  parent_id: null,
  cancelled_at: null,
  created_at: accepted,
} satisfies AnswerOf<'listBroadcasts'>['broadcasts'][number]
const broadcastDetail = {
  ...broadcast,
  resendable: 0,
  number_failed: 0,
  skipped_rows: [],
} satisfies AnswerOf<'getBroadcast'>

const received = {
  id: otherId,
  fr: '+15555550177',
  to: '+15555550100',
  group_id: null,
  status: 'received',
  backend: 'phaxio',
  provider_sid: '987654321',
  pages: 3,
  size_bytes: 48_210,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  error: null,
  concern: null,
  notice: null,
  page_notes: [],
  needs_attention: false,
  codes: [{ format: 'QRCode', text: 'PAT-4711' }],
  call: null,
  is_test: false,
  read_at: null,
  document_kept: true,
  document_missing: false,
  next_try_at: null,
  received_at: accepted,
  created_at: accepted,
  updated_at: done,
  cursor: 'MjAyNi0xMS0yMlQxODoxMjowMi4wMDBaIDliMWMyZDNlNGY1YTZiN2M4ZDllMGYxYTJiM2M0ZDVl',
} satisfies AnswerOf<'listInbound'>[number]

const { fr, is_test, group_id: _, ...common } = received
const receivedForPrograms = {
  ...common,
  from: fr,
  test: is_test,
  group: { id: '7a1b2c3d4e5f', name: 'Cardiology' },
  cursor: 'b2xkZXN0NDIgOWIxYzJkM2U0ZjVhNmI3YzhkOWUwZjFhMmIzYzRkNWU',
  links: { self: `/received/${otherId}`, document: `/received/${otherId}/document` },
} satisfies AnswerOf<'getReceived'>

const webhook = {
  id: webhookId,
  url: 'https://hooks.example.com/faxdeck',
  description: null,
  events: ['fax.delivered', 'fax.failed'],
  inbound_content: 'details',
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  previous_secret_until: null,
  key_id: '3f2a9c0b7d5e',
  created_at: accepted,
} satisfies Omit<AnswerOf<'createOwnWebhook'>, 'secret'>

const answers: Answers = {
  submitFax: queued,
  getFax: { ...delivered, actions: ['resend'] },
  cancelFax: cancelled,
  resendFax: { ...queued, id: otherId },
  listFaxes: { faxes: [delivered], next_cursor: null },
  quoteFax: {
    pages: 2,
    bytes_per_page: [14_210, 22_874],
    seconds: 31.2,
    seconds_at_33600: 15.1,
    minutes: 1,
    page_notes: [],
    drawn_by_provider: true,
  },
  uploadDocument: {
    id: `upl_${faxId}`,
    kind: 'pdf',
    pages: 2,
    size_bytes: 48_210,
    expires_at: '2026-11-22T19:12:02.000Z',
  },
  createBroadcast: broadcastDetail,
  getBroadcast: broadcastDetail,
  listBroadcasts: { broadcasts: [broadcast], next_cursor: null },
  listReceived: { faxes: [receivedForPrograms], next_cursor: null },
  getReceived: receivedForPrograms,
  listInbound: [received],
  getInbound: { ...received, openings: [] },
  createOwnWebhook: { ...webhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
  listOwnWebhooks: [{ ...webhook, last_delivery: null }],
  testOwnWebhook: {
    id: messageId,
    webhook_id: webhookId,
    event: 'webhook.test',
    subject_id: webhookId,
    state: 'pending',
    tries: 0,
    next_try_at: accepted,
    last_try_at: null,
    response_status: null,
    error: null,
    payload: `{"type":"webhook.test","version":1,"timestamp":"${accepted}","data":{"id":"${webhookId}"}}`,
    created_at: accepted,
    cursor: `${accepted}.${messageId}`,
  },
  replayOwnWebhook: { since: accepted, queued: 12, skipped: 0, next_since: null },
}

/** An answer of a call as the documentation shows it; undefined for calls whose schema is enough. */
export const exampleAnswer = (name: RouteName): unknown => answers[name]
