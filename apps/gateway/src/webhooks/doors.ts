import type { Database } from '../db/database.ts'
import type { Events } from '../events/events.ts'
import type { ProviderAccess } from '../providers/access.ts'
import type { GuardedFetch } from '../providers/guarded-fetch.ts'
import type { Queue } from '../queue/queue.ts'
import type { Seals } from '../settings/seal.ts'
import type { Reach } from './reach.ts'

/** The kind of work that sends one message. */
export const webhookWork = 'webhook'

/** What webhooks build on. */
export interface WebhookDoors {
  database: Database
  queue: Queue
  events: Events
  seals: Seals
  reach: Reach
  providers: Pick<ProviderAccess, 'find'>
  fetch: GuardedFetch['fetch']
  now: () => Date
}

/** Each endpoint has a lane of its own: a slow one keeps no other waiting. */
export const laneOf = (endpointId: string) => `${webhookWork}:${endpointId}`
export const sealName = (endpointId: string) => `webhook:${endpointId}`
