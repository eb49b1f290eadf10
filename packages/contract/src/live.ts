import { z } from 'zod'
import { fax } from './routes/faxes/faxes.ts'
import { receivedFax } from './routes/faxes/received.ts'
import { jobSummary } from './routes/faxes/jobs.ts'
import { healthStatus } from './routes/overview.ts'
import { instant } from './shapes.ts'

/** What a live message may say has changed. */
const liveSubjects = ['jobs', 'inbound', 'approvals', 'settings', 'health', 'webhooks', 'broadcasts'] as const
export type LiveSubject = (typeof liveSubjects)[number]

/** The stream of what changes: a call beside the rows, because its answer does not end. */
export const liveStream = {
  method: 'GET',
  path: '/admin/events',
  permission: 'open_faxes',
  summary:
    'Streams changes to the faxes you see, as server-sent events named `change`. A comment is sent every 15 seconds; reconnect when the stream ends.',
} as const

/** The stream of what happens to the faxes that a key sees: a call beside the rows, because its answer does not end. */
export const faxStream = {
  method: 'GET',
  path: '/fax/events',
  query: z.object({
    /** Which events, separated by commas; `fax.*` and `inbound.*` are all of a kind. `fax.*` when it is not given. */
    types: z.string().max(400).optional(),
  }),
  permission: 'read_faxes',
  rate: 'fax_read',
  summary:
    'Streams what happens to the faxes that this key sees, as server-sent events. With `types` they may be received faxes as well, which needs the scope `inbound:list`; a key without `fax:read` may follow `types=inbound.*` alone. Each event has an id. If you send the last one in a Last-Event-ID header, the events since then are sent first, for up to a day. An event `reset` means that the id is unknown or too old: read the list again. A comment is sent every 15 seconds.',
} as const

/** What an event of `GET /fax/events` may be. `fax.updated` is every other change, such as another attempt that is planned. */
export const faxEventTypes = [
  'fax.queued',
  'fax.sending',
  'fax.updated',
  'fax.delivered',
  'fax.failed',
  'fax.uncertain',
] as const

/** The data of one event of `GET /fax/events`. */
export const faxEvent = z.strictObject({
  id: z.string(),
  type: z.enum(faxEventTypes),
  timestamp: instant,
  /** The fax as it is when the event is sent, which may be later than the event. */
  fax,
})
export type FaxEvent = z.infer<typeof faxEvent>

/** What an event about a received fax may be. `inbound.updated`: its text was recognized, or it became clear how it ended. */
export const inboundEventTypes = ['inbound.received', 'inbound.failed', 'inbound.updated'] as const

/** The data of an event of `GET /fax/events` about a received fax. */
export const inboundEvent = z.strictObject({
  id: z.string(),
  type: z.enum(inboundEventTypes),
  timestamp: instant,
  /** The fax as it is when the event is sent. Its codes are empty for a key without the scope `inbound:read`. */
  fax: receivedFax,
})
export type InboundEvent = z.infer<typeof inboundEvent>
/** The data of one event of `GET /fax/events`, by its type. */
export const anyFaxEvent = z.union([faxEvent, inboundEvent])

/**
 * One message of `GET /admin/events`, a stream of server-sent events: the data of each event named `change`. Where that
 * is little, it carries what stands there now, so that nobody needs to ask; otherwise it says what to ask for again.
 */
export const liveMessage = z.strictObject({
  changed: z.array(z.enum(liveSubjects)).min(1),
  /** The jobs that changed; absent when they are unknown or many. */
  job_ids: z.array(z.string()).optional(),
  /** The jobs of `job_ids` as the list shows them; those that are gone are left out. */
  jobs: z.array(jobSummary).optional(),
  /** The answer of `GET /admin/health-status`, where `health` has changed. */
  health: healthStatus.optional(),
  /** The broadcasts whose faxes changed; absent when they are unknown or many. */
  broadcast_ids: z.array(z.string()).optional(),
})
export type LiveMessage = z.infer<typeof liveMessage>
