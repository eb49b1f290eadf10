import { applyLayers, type Environment } from '@faxdeck/settings'
import type { Database } from '../db/database.ts'
import type { StorageSettings } from '../storage/select-storage.ts'
import { readEnvironment } from './environment.ts'
import { masterKey } from './master-key.ts'
import { allRows } from './rows.ts'
import { readSaved } from './store.ts'

/**
 * Where an installation keeps its documents, while no gateway runs: by its environment and its saved settings.
 * @throws {SealBroken} when a secret among them was sealed with another master key
 */
export async function readStorageSettings(
  { db }: Database,
  directory: string,
  env: Environment,
): Promise<StorageSettings> {
  const rows = allRows([])
  const { values: environment } = readEnvironment(rows, { ...env, FAX_DATA_DIR: directory }, true)
  const given = typeof environment.faxdeck_master_key === 'string' ? environment.faxdeck_master_key : null
  const ofStorage = rows.filter(({ group }) => group === 'storage')
  const { values: saved } = await readSaved(db, ofStorage, masterKey(given, directory))
  return applyLayers(ofStorage, { environment, saved }).values as StorageSettings
}
