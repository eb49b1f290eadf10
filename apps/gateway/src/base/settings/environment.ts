import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type Environment,
  parseEnvFile,
  parseEnvironment,
  type SettingRow,
  unknownVariables,
  type Values,
} from '@faxdeck/settings'
import { hasCode } from '../error-code.ts'
import { databaseName } from './data-directory.ts'

export const settingsFileName = 'faxdeck.env'

/** The environment layer: the process's own variables over those of faxdeck.env in the data directory. */
export interface EnvironmentLayer {
  values: Values
  problems: string[]
  /** Payload keys that the process's own environment sets. */
  fixedByProcess: ReadonlySet<string>
  /** Payload keys that only faxdeck.env sets. */
  setByFile: ReadonlySet<string>
  /** Variables in faxdeck.env that no key may set: an operator wrote them there by hand. */
  operatorLines: readonly string[]
  /** Variables that look like settings but are not. */
  unknown: readonly string[]
}

export function dataDirectoryOf(env: Environment): string {
  return resolve(env.FAX_DATA_DIR?.trim() || 'faxdata')
}

function readSettingsFile(directory: string): Record<string, string> {
  try {
    return parseEnvFile(readFileSync(join(directory, settingsFileName), 'utf8'))
  } catch (error) {
    // A file where a folder should be is named when the data directory is made.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return {}
    throw error
  }
}

/** The default public address of a gateway that uses TLS or a different port. */
function ownAddress({ port, tls_cert: certificate, base_path: path }: Values): Values {
  const usual = 8080
  const used = typeof port === 'number' ? port : usual
  if (used === 0 || (used === usual && !certificate && !path)) return {}
  return { public_api_url: `${certificate ? 'https' : 'http'}://localhost:${used}${path ?? ''}` }
}

/**
 * Reads the environment layer. A database that is not named lives in the data directory.
 * @param useFile false when ENABLE_PERSISTED_SETTINGS was switched off by a saved setting
 * @throws what the file system refused
 */
export function readEnvironment(rows: readonly SettingRow[], env: Environment, useFile: boolean): EnvironmentLayer {
  const directory = dataDirectoryOf(env)
  const own = parseEnvironment(rows, env)
  const reads = useFile && own.values.enable_persisted_settings !== false
  const given = Object.entries(env).filter(([, value]) => value?.trim())
  const file = reads ? readSettingsFile(directory) : {}
  const merged = parseEnvironment(rows, { ...file, ...Object.fromEntries(given) })
  const operators = rows.filter((row) => row.environmentOnly && !Object.hasOwn(own.values, row.key))
  const names = new Set(operators.flatMap((row) => [row.env, ...(row.envAliases ?? [])]))
  return {
    values: {
      database_url: `sqlite:${join(directory, databaseName)}`,
      ...ownAddress(merged.values),
      ...merged.values,
      fax_data_dir: directory,
    },
    problems: merged.problems,
    fixedByProcess: new Set(Object.keys(own.values)),
    setByFile: new Set(Object.keys(merged.values).filter((key) => !Object.hasOwn(own.values, key))),
    unknown: unknownVariables(rows, { ...file, ...env }),
    operatorLines: Object.keys(file).filter((name) => names.has(name) && file[name]?.trim()),
  }
}
