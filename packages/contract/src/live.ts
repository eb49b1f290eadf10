import { z } from 'zod'

/** What a live message may say has changed. */
export const liveSubjects = ['jobs', 'inbound', 'approvals', 'settings', 'health', 'webhooks', 'broadcasts'] as const
export type LiveSubject = (typeof liveSubjects)[number]

/** The stream of what changes: a call beside the rows, because its answer does not end. */
export const liveStream = {
  method: 'GET',
  path: '/admin/events',
  scope: 'keys:manage',
  summary:
    'What changes, as server-sent events named `change`. A comment comes every 15 seconds; open it again when it ends.',
} as const

/**
 * One message of `GET /admin/events`, a stream of server-sent events: the data of each event named `change`. It says
 * what to ask for again, never what stands there.
 */
export const liveMessage = z.strictObject({
  changed: z.array(z.enum(liveSubjects)).min(1),
  /** The jobs that changed; absent when they are unknown or many. */
  job_ids: z.array(z.string()).optional(),
  /** The broadcasts whose faxes changed; absent when they are unknown or many. */
  broadcast_ids: z.array(z.string()).optional(),
})
export type LiveMessage = z.infer<typeof liveMessage>
