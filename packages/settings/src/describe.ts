import { type Layers, type SettingSource, applyLayers } from './layers.ts'
import type { SettingRow, SettingValue } from './row.ts'
import { maskValue } from './value.ts'

/** One setting as a form renders it, also on the wire. */
export interface SettingDescription {
  key: string
  env: string
  at: string
  type: SettingRow['type']
  group: string
  /** The provider whose account or line it belongs to. */
  provider?: string
  label: string
  help: string
  value: SettingValue
  configured: boolean
  /** As the product ships it; of secrets too, since it stands in the documentation. */
  default: SettingValue
  is_default: boolean
  source: SettingSource
  /** What counts once the saved value is cleared; only where one is saved. */
  beneath?: { value: SettingValue; source: SettingSource }
  fixed: boolean
  /** Why a form shows it disabled, and who may change it. */
  fixed_why?: string
  restart: boolean
  drawn?: true
  only_when?: { key: string; is: string }
  advanced?: true
  min?: number
  max?: number
  fraction?: true
  fallback?: number
  /** Of a switch: what "true" and "false" mean, when it is to be offered as a choice. */
  choices?: { value: string; label: string }[]
  placeholder?: string
}

/** Where the values of boot rows come from, by payload key: they count as environment, but a form may change those of the file. */
export interface BootSources {
  byProcess: ReadonlySet<string>
  byFile: ReadonlySet<string>
}
const noBoot: BootSources = { byProcess: new Set(), byFile: new Set() }

/** A copy without the fields that have no value. */
function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }
}

function ownFields(row: SettingRow) {
  if (row.type === 'number')
    return given({ min: row.min, max: row.max, fraction: row.fraction, fallback: row.fallback })
  if (row.type === 'choice') return { choices: [...row.choices] }
  if (row.type === 'secret') return given({ drawn: row.drawn })
  if (row.type !== 'switch' || !row.words) return {}
  const { on, off } = row.words
  return {
    choices: [
      { value: 'true', label: on },
      { value: 'false', label: off },
    ],
  }
}

function lockOf(row: SettingRow, boot: BootSources): string | undefined {
  if (row.fixed) return 'Fixed: it cannot be changed.'
  if (row.lockedInForms) return `Only the environment variable ${row.env} changes it.`
  if (row.boot && boot.byProcess.has(row.key)) return `It is set by the environment variable ${row.env}.`
  return undefined
}

function bootSourceOf(key: string, boot: BootSources): SettingSource {
  if (boot.byProcess.has(key)) return 'environment'
  return boot.byFile.has(key) ? 'saved' : 'default'
}

function standingOf(row: SettingRow, layers: Layers, source: SettingSource): Pick<SettingDescription, 'beneath'> {
  if (source !== 'saved') return {}
  if (row.boot) return { beneath: { value: row.default, source: 'default' } }
  const { values, sources } = applyLayers([row], { environment: layers.environment, saved: {} })
  return { beneath: { value: maskValue(row, values[row.key] ?? null), source: sources[row.key] ?? 'default' } }
}

/**
 * Every row that people may see, with its masked value and the layer it comes from.
 * @param boot distinguishes the two sources of boot rows; without it they are as the layers say
 */
export function describe(rows: readonly SettingRow[], layers: Layers, boot?: BootSources): SettingDescription[] {
  const { values, sources } = applyLayers(rows, layers)
  return rows
    .filter((row) => !row.environmentOnly)
    .map((row) => {
      const value = values[row.key] ?? null
      const source = row.boot && boot ? bootSourceOf(row.key, boot) : (sources[row.key] ?? 'default')
      const lock = lockOf(row, boot ?? noBoot)
      return {
        key: row.key,
        env: row.env,
        at: row.at ?? '',
        type: row.type,
        group: row.group,
        label: row.label,
        help: row.help,
        value: maskValue(row, value),
        configured: value !== null,
        default: row.default,
        is_default: value === row.default,
        source,
        fixed: lock !== undefined,
        restart: row.restart ?? false,
        ...standingOf(row, layers, source),
        ...ownFields(row),
        ...given({ provider: row.provider, fixed_why: lock, only_when: row.onlyWhen }),
        ...given({ advanced: row.advanced, placeholder: row.placeholder }),
      }
    })
}
