import type { SettingRow } from './row.ts'
import type { Values } from './value.ts'

export type SettingSource = 'default' | 'environment' | 'saved'

/** What was set where. An absent key is not set in that layer. */
export interface Layers {
  environment: Values
  saved: Values
}

/** Which layer a row's value comes from: saved over environment over default. */
function sourceOf(row: SettingRow, layers: Layers): SettingSource {
  if (!row.environmentOnly && Object.hasOwn(layers.saved, row.key)) return 'saved'
  return Object.hasOwn(layers.environment, row.key) ? 'environment' : 'default'
}

/** The values in force and where each comes from, for every row. */
export function applyLayers(
  rows: readonly SettingRow[],
  layers: Layers,
): { values: Values; sources: Readonly<Record<string, SettingSource>> } {
  const sources = Object.fromEntries(rows.map((row) => [row.key, sourceOf(row, layers)]))
  const values = Object.fromEntries(
    rows.map((row) => {
      const source = sources[row.key]
      const given = source === 'saved' ? layers.saved : layers.environment
      return [row.key, source === 'default' ? row.default : (given[row.key] ?? null)]
    }),
  )
  return { values, sources }
}
