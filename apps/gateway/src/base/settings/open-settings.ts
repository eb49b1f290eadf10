import { adviceAbout, applyLayers, crossChecks, type Environment, type SettingRow } from '@faxdeck/settings'
import { dataDirectoryOf, type EnvironmentLayer, readEnvironment } from './environment.ts'
import { type LiveParts, LiveSettings } from './live-settings.ts'
import { MasterKeyMissing, masterKeyBytes, readFingerprintKey, settleMasterKey, masterKey } from './master-key.ts'
import { SealBroken } from './seal.ts'
import type { SettingsInForce } from './settings.ts'
import { StartProblem } from './start-problem.ts'
import { wasTakenBack } from './versions.ts'
import type { Database } from '../db/database.ts'
import type { StorageSettings } from '../storage/select-storage.ts'
import { allRows } from './rows.ts'
import { readSaved } from './store.ts'

interface OpenParts extends Omit<LiveParts, 'environment' | 'masterKey' | 'fingerprintKey'> {
  env: Environment
}

/** The environment layer at the start. @throws {StartProblem} with one sentence per variable that cannot be used */
function environmentAtStart(rows: readonly SettingRow[], env: Environment): EnvironmentLayer {
  const layer = readEnvironment(rows, env, true)
  if (layer.problems.length === 0) return layer
  // Saved settings may yet make values go together; when the start fails anyway, a person sees every fault at once.
  const { values } = applyLayers(rows, { environment: layer.values, saved: {} })
  throw new StartProblem(...layer.problems, ...crossChecks(values as SettingsInForce))
}

/** Settings whose values are names of providers, of which a plugin may be one. */
const choosesProvider = new Set(['backend', 'outbound_backend', 'inbound_backend', 'next_outbound_backend'])

/**
 * The environment layer before it is known which plugins are installed: the names of providers are not looked at yet.
 * @throws {StartProblem} with one sentence per variable that cannot be used
 */
export function environmentBeforePlugins(rows: readonly SettingRow[], env: Environment): EnvironmentLayer {
  const early = rows.filter(({ key }) => !choosesProvider.has(key))
  const isGood = readEnvironment(early, env, true).problems.length === 0
  return environmentAtStart(isGood ? early : rows, env)
}

/** @throws {StartProblem} when the master key does not open what is saved */
async function openSaved({ env, database, now, ...more }: OpenParts, given: string | null): Promise<LiveSettings> {
  const environment = (present: readonly SettingRow[], useFile: boolean) => readEnvironment(present, env, useFile)
  const directory = dataDirectoryOf(env)
  try {
    const key = given === null ? await settleMasterKey(database, directory, now()) : masterKeyBytes(given)
    const fingerprintKey = await readFingerprintKey(database, key)
    const settings = new LiveSettings({ ...more, database, environment, masterKey: key, fingerprintKey, now })
    await settings.reload()
    return settings
  } catch (error) {
    if (error instanceof MasterKeyMissing)
      throw new StartProblem(
        `The database ${database.shownUrl} belongs to an installation whose master key is not in ${directory}. Mount its disk, correct FAX_DATA_DIR, or put back "master-key" from a backup; a further gateway needs the same FAXDECK_MASTER_KEY. No new key was made.`,
        'To begin an empty installation instead, name an empty database in DATABASE_URL.',
      )
    if (!(error instanceof SealBroken)) throw error
    throw new StartProblem(
      'The master key does not open the saved secrets: they were sealed with another one. Put back the master-key file of the data directory, or set FAXDECK_MASTER_KEY to the key they were sealed with.',
    )
  }
}

/**
 * The settings in force, saved ones included.
 * @throws {StartProblem} when saved secrets do not open or the settings do not go together
 */
export async function openSettings(parts: OpenParts): Promise<LiveSettings> {
  const { rows, env, database, log } = parts
  const { values, unknown } = environmentAtStart(rows, env)
  const given = typeof values.faxdeck_master_key === 'string' ? values.faxdeck_master_key : null
  const settings = await openSaved(parts, given)
  const problems = crossChecks(settings.current())
  if (problems.length > 0) {
    // What a revoked key saved may be what another setting needs. Faxes go on; what needs it stays closed.
    if (!(await wasTakenBack(database.db))) throw new StartProblem(...problems)
    log.error(
      { problems },
      'Settings that a revoked key had saved were reverted, and others need them. Set them again.',
    )
  }
  const variables = settings.operatorLines()
  if (variables.length > 0)
    log.warn(
      { variables },
      'faxdeck.env has settings that only an operator should write. If you did not write it, remove it and restart.',
    )
  if (unknown.length > 0) {
    const advice = unknown.map((name) => `${name}: ${adviceAbout(name)}`)
    log.warn({ variables: unknown }, `Variables without effect. ${advice.join(' ')}`)
  }
  return settings
}

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
