import type { Documents } from '@faxdeck/documents'
import type { Database } from '../db/database.ts'
import type { Events } from '../events/events.ts'
import type { ProviderAccess } from '../providers/access.ts'
import type { Queue } from '../queue/queue.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'

/** What receiving needs of the house. */
export interface InboundDoors {
  database: Database
  storage: Storage
  queue: Queue
  events: Events
  documents: Documents
  providers: Pick<ProviderAccess, 'find' | 'inbound' | 'outbound' | 'line' | 'opened'>
  settings: Settings['current']
  /** A folder for files that do not outlive the call; it is there. */
  scratch: string
  now?: () => Date
}

/** Queued work that gets and keeps the document of a received fax. */
export const inboundWork = 'inbound'
