import type { Documents } from '@faxdeck/documents'
import type { CoreSettings } from '@faxdeck/settings'
import type { Database } from '../db/database.ts'
import type { Events } from '../events/events.ts'
import type { Queue } from '../queue/queue.ts'
import type { Storage } from '../storage/storage.ts'

/** What reading pages needs of the house. */
export interface PageTextDoors {
  database: Database
  storage: Storage
  queue: Queue
  events: Events
  documents: Pick<Documents, 'read' | 'codes'>
  settings: () => Pick<CoreSettings, 'fax_text' | 'fax_text_languages' | 'fax_paper' | 'inbound_enabled'>
  now: () => Date
}

/** Queued work that reads the text of a fax. */
export const pageTextWork = 'page_text'

/** Which way a fax went. */
export type Direction = 'sent' | 'received'

export const pagesOf = { sent: 'sent_pages', received: 'received_pages' } as const satisfies Record<Direction, string>

/** The languages that are set, as Tesseract names them: "eng, deu" or "eng+deu". */
export const languagesOf = (setting: string): string[] => setting.split(/[\s,+]+/).filter((language) => language !== '')
