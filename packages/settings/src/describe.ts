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
  label: string
  help: string
  value: SettingValue
  configured: boolean
  default: SettingValue
  source: SettingSource
  fixed: boolean
  restart: boolean
  min?: number
  max?: number
  choices?: { value: string; label: string }[]
  placeholder?: string
}

function limitsOf(row: SettingRow): Pick<SettingDescription, 'min' | 'max' | 'choices'> {
  if (row.type === 'number') return { min: row.min, max: row.max }
  return row.type === 'choice' ? { choices: [...row.choices] } : {}
}

/** Every row that people may see, with its masked value and the layer it comes from. */
export function describe(rows: readonly SettingRow[], layers: Layers): SettingDescription[] {
  const { values, sources } = applyLayers(rows, layers)
  return rows
    .filter((row) => !row.environmentOnly)
    .map((row) => ({
      key: row.key,
      env: row.env,
      at: row.at ?? '',
      type: row.type,
      group: row.group,
      label: row.label,
      help: row.help,
      value: maskValue(row, values[row.key] ?? null),
      configured: (values[row.key] ?? null) !== null,
      default: maskValue(row, row.default),
      source: sources[row.key] ?? 'default',
      fixed: row.fixed ?? false,
      restart: row.restart ?? false,
      ...limitsOf(row),
      ...(row.placeholder === undefined ? {} : { placeholder: row.placeholder }),
    }))
}
