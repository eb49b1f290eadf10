import type { Environment } from '@faxdeck/settings'
import { transact } from '../base/db/transact.ts'
import { Events } from '../base/events/events.ts'
import { readEnvironment } from '../base/settings/environment.ts'
import { hasMasterKeyFile, masterKeyBytes, settleMasterKey } from '../base/settings/master-key.ts'
import { allRows } from '../base/settings/rows.ts'
import { SealBroken, sealsOf } from '../base/settings/seal.ts'
import { DocumentKeys } from '../base/encryption/document-keys.ts'
import { addWrappingKey } from '../base/encryption/wrapping-keys.ts'
import { presentUrlOf } from './backup.ts'
import { UpkeepProblem } from './copy.ts'
import { withDatabase } from './hold.ts'

interface RotateRequest {
  directory: string
  env: Environment
  now: () => Date
  onProgress: (done: number, of: number) => void
}

/** The key that the environment gives, else null. One that is not there is not made: the wrong folder was named. */
export function givenKey(directory: string, env: Environment): string | null {
  const { values } = readEnvironment(allRows([]), { ...env, FAX_DATA_DIR: directory }, true)
  if (typeof values.faxdeck_master_key === 'string') return values.faxdeck_master_key
  if (hasMasterKeyFile(directory)) return null
  throw new UpkeepProblem(
    `There is no master key in ${directory}. Say where the data directory is with --data, or set FAXDECK_MASTER_KEY.`,
  )
}

/**
 * Makes a new key that wraps the keys of documents, and wraps all of them with it. No document is touched. The keys
 * before it stay until nothing needs them; when this ends early, a gateway that runs goes on with it.
 * @returns how many documents' keys were wrapped again
 * @throws {UpkeepProblem} when the database cannot be used, nothing is encrypted, or the master key is another one
 */
export async function rotateKey({ directory, env, now, onProgress }: RotateRequest): Promise<{ documents: number }> {
  const given = givenKey(directory, env)
  return withDatabase(presentUrlOf(directory, env), async (database) => {
    const key = given === null ? await settleMasterKey(database, directory, now()) : masterKeyBytes(given)
    const seals = sealsOf(key)
    const keys = new DocumentKeys({ database, seals, choice: () => 'on', now })
    await keys.open().catch((error: unknown) => {
      if (!(error instanceof SealBroken)) throw error
      throw new UpkeepProblem(
        'The master key does not open the keys of the documents: they were sealed with another one.',
      )
    })
    if (!keys.hasAny()) throw new UpkeepProblem('Nothing is encrypted here yet. Start the gateway once.')
    const events = new Events(database, now)
    await transact(database, async (tx) => {
      const id = await addWrappingKey(tx, seals, now())
      await events.documentKeyRotated({ wrapping_key: id }, tx)
    })
    return { documents: await keys.rewrap(onProgress) }
  })
}
