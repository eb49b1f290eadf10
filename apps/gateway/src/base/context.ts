import type { Documents } from '@faxdeck/documents'
import type { Logger } from 'pino'
import type { Database } from './db/database.ts'
import type { HomeWatch } from './db/home.ts'
import type { Events } from './events/events.ts'
import type { Trail } from './events/trail.ts'
import type { Moments } from './moments.ts'
import type { Counters } from './events/counters.ts'
import type { ProviderAccess } from './providers/access.ts'
import type { Breakers } from './providers/breakers.ts'
import type { Queue } from './queue/queue.ts'
import type { LiveSettings } from './settings/live-settings.ts'
import type { DocumentMemory } from './storage/document-memory.ts'
import type { DocumentKeys } from './encryption/document-keys.ts'
import type { Storage } from './storage/storage.ts'

/** What every feature of a gateway works with. There is one for each gateway, made before the features. */
export interface GatewayContext {
  database: Database
  queue: Queue
  /** The audit trail: one method for each event. */
  events: Events
  /** A stream of the events recorded there. */
  trail: Trail
  storage: Storage
  /** The keys that stored documents are encrypted with. */
  documentKeys: DocumentKeys
  documents: Documents
  /** Room in memory for documents that are held there. */
  memory: DocumentMemory
  settings: LiveSettings
  /** The providers of this installation and the open lines to them. */
  providers: ProviderAccess
  /** Which providers are paused after failures. */
  breakers: Breakers
  counters: Counters
  /** What happens in one room and concerns others. */
  moments: Moments
  /** Whether the database lies where it did. */
  home: HomeWatch
  /** The data directory. */
  directory: string
  now: () => Date
  log: Logger
}
