import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../base/db/database.ts'
import type { Events } from '../base/events/events.ts'
import type { Settings } from '../base/settings/settings.ts'
import { StartProblem } from '../base/settings/start-problem.ts'
import { createSelectedStorage } from '../base/storage/select-storage.ts'
import { createIdentity } from '../base/storage/identity.ts'
import { type Place, type Storage, StorageProblem } from '../base/storage/storage.ts'
import type { LiveSettings } from '../base/settings/live-settings.ts'
import { SealBroken } from '../base/settings/seal.ts'
import { textKeyName, usePageKey } from '../paper/page-text/cipher.ts'
import { DocumentKeys } from '../base/encryption/document-keys.ts'

interface StorageParts {
  local: Place
  settings: Settings
  database: Database
  events: Events
  log: Pick<Logger, 'error'>
}

/** A bucket that does not answer holds up no start. */
const longestMs = 5000

const wayOut =
  'If this is the right place after all, or its documents are gone for good, run "faxdeck accept-storage" while no gateway runs, then start again.'

/**
 * The storage of this installation. One that cannot be reached now may come back; in another one nothing is looked for
 * and nothing is put.
 * @throws {StartProblem} when the place is not the one that the database knows
 */
export async function openStorage({ local, settings, database, events, log }: StorageParts): Promise<Storage> {
  const storage = createSelectedStorage(local, settings.current, (place, exists) =>
    createIdentity({ place, exists, database, events }),
  )
  try {
    await Promise.race([storage.check(), delay(longestMs, undefined, { ref: false })])
  } catch (error) {
    if (error instanceof StorageProblem && error.code === 'displaced') throw new StartProblem(error.message, wayOut)
    log.error({ err: error }, 'The storage cannot be used yet. It is tried again with every fax.')
  }
  return storage
}

interface KeysParts {
  database: Database
  settings: Pick<LiveSettings, 'seals' | 'current'>
  now: () => Date
}

/**
 * The keys of the stored documents.
 * @throws {StartProblem} when the master key does not open them
 */
export async function openDocumentKeys({ database, settings, now }: KeysParts): Promise<DocumentKeys> {
  const { seals } = settings
  const keys = new DocumentKeys({ database, seals, choice: () => settings.current().document_encryption, now })
  try {
    await keys.open()
    usePageKey(database, await keys.keep(textKeyName, DocumentKeys.fresh(), 'sealed'))
    return keys
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new StartProblem(
      'The master key does not open the stored documents: they were encrypted with another one. Put back the master-key file of the data directory, or set FAXDECK_MASTER_KEY to that key. If "faxdeck rotate-key" was interrupted, run it again.',
    )
  }
}
