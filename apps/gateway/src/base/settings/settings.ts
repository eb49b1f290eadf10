import type { CoreSettings, Layers, SettingRow, Values } from '@faxdeck/settings'

/** The values in force: core settings by their own types, those of providers besides. */
export type SettingsInForce = CoreSettings & Values

export interface SettingsChange {
  /** Payload keys whose value in force is another one now. */
  keys: readonly string[]
}

/** The settings of this process, kept in step with those of every other process on the same database. */
export interface Settings {
  readonly rows: readonly SettingRow[]
  /** The values in force now. Ask each time; never keep them. */
  current: () => SettingsInForce
  layers: () => Layers
  /** Calls `listener` after each change, one listener after the other; returns how to stop. */
  onChange: (listener: (change: SettingsChange) => void | Promise<void>) => () => void
}
