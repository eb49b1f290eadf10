import type { Database } from '../base/db/database.ts'
import type { LiveSettings } from '../base/settings/live-settings.ts'
import { SealBroken } from '../base/settings/seal.ts'
import { StartProblem } from '../base/settings/start-problem.ts'
import { textKeyName, usePageKey } from '../paper/page-text/cipher.ts'
import { DocumentKeys } from '../base/encryption/document-keys.ts'

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
