import type { Database } from '../db/database.ts'
import type { Events } from '../events/events.ts'
import { Problem } from '../http/problem.ts'
import type { ProviderAccess } from '../providers/access.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { InstalledPlugins } from './installed.ts'

/** What plugins need of the house. */
export interface PluginDoors {
  plugins: InstalledPlugins
  lines: Pick<ProviderAccess, 'providers' | 'find'>
  settings: LiveSettings
  database: Database
  events: Pick<Events, 'pluginInstalled' | 'pluginRemoved' | 'pluginConfigured'>
  now: () => Date
}

/** @throws {Problem} `feature_disabled` while plugins are switched off */
export function requirePlugins({ settings }: Pick<PluginDoors, 'settings'>): void {
  if (settings.current().feature_v3_plugins) return
  throw new Problem('feature_disabled', 'v3 plugins are disabled. Turn on Plugins under Settings, Feature Flags.')
}

/** Where a plugin is configured. */
export const configPath = (id: string): string => `/plugins/${id}/config`
