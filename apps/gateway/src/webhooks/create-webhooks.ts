import type { Handlers } from '../http/handler.ts'
import { guardedFetch } from '../providers/guarded-fetch.ts'
import type { WorkHandler } from '../queue/worker.ts'
import { deliverMessage } from './deliver.ts'
import type { WebhookDoors } from './doors.ts'
import { gatherMessages } from './gather.ts'
import { createReach } from './reach.ts'
import { webhookHandlers, type WebhookRoutes } from './routes.ts'
import { listEndpoints, removeOldDeliveries } from './store.ts'

interface WebhookParts extends Omit<WebhookDoors, 'reach' | 'fetch'> {
  settings: () => { webhook_allowed_cidrs: string | null }
}

/** Outbound webhooks, put together. */
export interface Webhooks {
  work: WorkHandler
  handlers: Handlers<WebhookRoutes>
  /** Removes the record of messages that are over and old. */
  expire: () => Promise<void>
  close: () => Promise<void>
}

const keptMs = 30 * 24 * 3_600_000
const mostKept = 1000
/** Bytes of an answer; nobody reads it. */
const largestAnswer = 64 * 1024

export function createWebhooks({ settings, ...parts }: WebhookParts): Webhooks {
  const reach = createReach(() => settings().webhook_allowed_cidrs)
  const { fetch, close } = guardedFetch({ limit: largestAnswer, mayReach: (_host, address) => reach.mayReach(address) })
  const doors: WebhookDoors = { ...parts, reach, fetch }
  const { database, events, now } = doors
  events.onRecording(gatherMessages(doors))
  return {
    work: (claim, signal) => deliverMessage(doors, claim, signal),
    handlers: webhookHandlers(doors),
    expire: async () => {
      const before = new Date(now().getTime() - keptMs).toISOString()
      for (const { id } of await listEndpoints(database.db))
        await removeOldDeliveries(database.db, id, before, mostKept)
    },
    close,
  }
}
