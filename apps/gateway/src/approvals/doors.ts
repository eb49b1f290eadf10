import type { Documents } from '@faxdeck/documents'
import type { Database } from '../db/database.ts'
import type { Events } from '../events/events.ts'
import type { Faxes } from '../faxes/faxes.ts'
import type { ProviderAccess } from '../providers/access.ts'
import type { Seals } from '../settings/seal.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'
import type { Uploads } from '../uploads/create-uploads.ts'

/** What asking a person before a fax is sent needs of the house. */
export interface ApprovalDoors {
  database: Database
  storage: Storage
  documents: Documents
  events: Events
  providers: Pick<ProviderAccess, 'find' | 'outbound' | 'line'>
  faxes: Pick<Faxes, 'handlers' | 'sending'>
  uploads: Pick<Uploads, 'documentOf'>
  settings: Settings['current']
  seals: Seals
  now: () => Date
}

/** How long a person has to decide, and how long a repeat answers with the first request. */
export const waitingMs = 24 * 3_600_000
