import type { Documents } from '@faxdeck/documents'
import type { Database } from '../db/database.ts'
import type { Storage } from '../storage/storage.ts'

/** What documents that come before their fax need of the house. */
export interface UploadDoors {
  database: Database
  storage: Storage
  documents: Documents
  now: () => Date
}
