import type { Database } from '../../base/db/database.ts'
import { type TrailWatch, watchTrail } from '../../base/events/watch-trail.ts'
import type { MissingDocuments } from '../../base/storage/missing.ts'
import type { Storage } from '../../base/storage/storage.ts'
import { type DocumentWatch, watchDocuments } from './watch-documents.ts'

/** Whether what was kept is still there and unchanged: looked at in pieces, here and by the hour. */
export interface Integrity {
  trail: TrailWatch
  documents: DocumentWatch
  /** Goes on where it stopped, for a while. */
  walk: () => Promise<void>
}

interface IntegrityParts {
  database: Database
  storage: Storage
  missing: MissingDocuments
}

export function watchIntegrity(parts: IntegrityParts): Integrity {
  const trail = watchTrail(parts.database)
  const documents = watchDocuments(parts)
  return {
    trail,
    documents,
    walk: async () => {
      await trail.walk()
      await documents.walk()
    },
  }
}
