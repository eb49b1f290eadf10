import { join } from 'node:path'
import type { Documents } from '@faxdeck/documents'
import type { Database } from '../db/database.ts'
import type { Drawing } from './drawing.ts'
import type { Events } from '../events/events.ts'
import type { ProviderAccess } from '../providers/access.ts'
import type { Breakers } from '../providers/breakers.ts'
import type { Queue } from '../queue/queue.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'

/** What sending needs of the house. */
export interface FaxDoors {
  database: Database
  storage: Storage
  queue: Queue
  events: Events
  documents: Documents
  providers: ProviderAccess
  breakers: Breakers
  drawing: Drawing
  settings: Settings['current']
  /** The data directory. */
  directory: string
  now: () => Date
}

/** Queued work that takes a fax one step further. A job has one such row until it has ended. */
export const faxWork = 'fax'

/** Where the rendered pages of jobs under way lie. */
export const pagesDirectory = (doors: Pick<FaxDoors, 'directory'>): string => join(doors.directory, 'pages')
export const pagesPath = (doors: Pick<FaxDoors, 'directory'>, id: string): string =>
  join(pagesDirectory(doors), `${id}.tiff`)
