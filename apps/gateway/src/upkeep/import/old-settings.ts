import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  adviceAbout,
  applyLayers,
  crossChecks,
  parseEnvFile,
  parseEnvironment,
  unknownVariables,
} from '@faxdeck/settings'
import type { SettingsInForce } from '../../base/settings/settings.ts'

/** What the settings of an earlier gateway become. */
export interface OldSettings {
  /** The file they were read from; null when there is none. */
  file: string | null
  /** Variables that are taken over, by name. */
  values: Record<string, string>
  /** Variables that are left out, each with what to do instead. */
  left: { name: string; advice: string }[]
  /** What has to be set before the settings go together. */
  problems: string[]
  /** Days after which documents are removed: of sent faxes, and of received ones. 0 is never. */
  keepDays: { sent: number; received: number }
  /** The country of numbers without a country code. */
  country: string
}

/** They name places of the old installation, or say whether the file that is written is read. */
const ofOldPlace: Readonly<Record<string, string>> = {
  DATABASE_URL: 'It names the old database. Faxdeck has one of its own.',
  FAX_DATA_DIR: 'It names the old folder. Faxdeck has a data directory of its own.',
  ENABLE_PERSISTED_SETTINGS: 'Settings are always saved.',
}

/** Reads the .env file of an earlier gateway. Nothing that would stop the start is taken over. */
export async function readOldSettings(folder: string): Promise<OldSettings> {
  const file = join(folder, '.env')
  // The whole gateway, because each provider brings its own settings.
  const { rows } = await import('../../compose.ts')
  const content = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const given = Object.entries(parseEnvFile(content)).filter(([, value]) => value.trim() !== '')
  const names = new Set(rows.flatMap((row) => [row.env, ...(row.envAliases ?? [])]))
  const values: Record<string, string> = {}
  const left: OldSettings['left'] = []
  for (const [name, value] of given) {
    const [problem] = names.has(name) ? parseEnvironment(rows, { [name]: value }).problems : []
    const advice = ofOldPlace[name] ?? problem
    if (advice !== undefined) left.push({ name, advice })
    else if (names.has(name)) values[name] = value
  }
  for (const name of unknownVariables(rows, Object.fromEntries(given))) left.push({ name, advice: adviceAbout(name) })
  // Earlier gateways sent unless they were told not to; a new installation of ours begins on the test line.
  if (!('FAX_DISABLED' in values) && ('FAX_BACKEND' in values || 'FAX_OUTBOUND_BACKEND' in values))
    values['FAX_DISABLED'] = 'false'
  const environment = parseEnvironment(rows, values).values
  const { values: inForce } = applyLayers(rows, { environment, saved: {} })
  const { artifact_ttl_days: sent, inbound_retention_days: received, default_country } = inForce as SettingsInForce
  return {
    file: existsSync(file) ? file : null,
    values,
    left,
    problems: crossChecks(inForce as SettingsInForce),
    keepDays: { sent, received },
    country: default_country,
  }
}
