import type { Provider } from '@faxdeck/provider-kit'
import type { SettingRow } from '@faxdeck/settings'
import type { Database } from '../../base/db/database.ts'
import { allRows } from '../../base/settings/rows.ts'
import { InstalledPlugins } from './installed.ts'

interface PluginParts {
  database: Database
  builtin: readonly Provider[]
  allowLoopback: boolean
  log: { warn: (facts: object, message: string) => void }
}

/** The installed plugins, and every setting of this installation with theirs, asked for again each time. */
export async function openPlugins(
  parts: PluginParts,
): Promise<{ plugins: InstalledPlugins; readRows: () => Promise<readonly SettingRow[]> }> {
  const plugins = new InstalledPlugins(parts)
  await plugins.refresh()
  let known = plugins.providers()
  let rows = allRows(known)
  const readRows = async () => {
    await plugins.refresh()
    if (plugins.providers() !== known) {
      known = plugins.providers()
      rows = allRows(known)
    }
    return rows
  }
  return { plugins, readRows }
}
