import { z } from 'zod'
import { jobSummary } from './routes/jobs.ts'
import { healthStatus } from './routes/overview.ts'

/** What a live message may say has changed. */
export const liveSubjects = ['jobs', 'inbound', 'approvals', 'settings', 'health', 'webhooks'] as const
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
})
export type LiveMessage = z.infer<typeof liveMessage>
