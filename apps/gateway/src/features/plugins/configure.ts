import type { PluginConfig } from '@faxdeck/contract'
import { describe, type SettingRow, validatePatch, type Values } from '@faxdeck/settings'
import { Problem } from '../../base/http/answers/problem.ts'
import { markProblems } from '../../base/settings/adopt-next.ts'
import { listPlugins, outboundOf, rowsOf } from './list.ts'
import type { PluginContext } from './installed.ts'

function pluginOf(context: PluginContext, id: string) {
  const plugin = listPlugins(context).find((each) => each.id === id)
  if (!plugin) throw new Problem('plugin_not_found')
  return plugin
}

/** How a plugin is configured. @throws {Problem} `plugin_not_found` */
export function readConfig(context: PluginContext, id: string): PluginConfig {
  const { enabled } = pluginOf(context, id)
  const { settings } = context
  const rows = rowsOf(settings.rows, id)
  const described = describe(rows, settings.layers(), settings.bootSources())
  const fields = described.map((setting) => {
    return { name: rows.find(({ key }) => key === setting.key)?.plugin?.field ?? setting.key, setting }
  })
  return { enabled, settings: Object.fromEntries(fields.map(({ name, setting }) => [name, setting.value])), fields }
}

/** The change in terms of the setting rows. @throws {Problem} `invalid` naming the plugin's own fields */
function valuesOf(rows: readonly SettingRow[], id: string, given: Readonly<Record<string, unknown>>): Values {
  const own = rowsOf(rows, id)
  const keyOf = (field: string) => own.find(({ plugin }) => plugin?.field === field)?.key
  const unknown = Object.keys(given).filter((field) => keyOf(field) === undefined)
  const body = Object.fromEntries(Object.entries(given).map(([field, value]) => [keyOf(field) ?? field, value]))
  const { values, problems } = validatePatch(own, body)
  const fields = problems
    .map(({ field, message }) => ({
      field: own.find(({ key }) => key === field)?.plugin?.field ?? field,
      message: unknown.includes(field) ? 'This plugin has no such setting.' : message,
    }))
    .map(({ field, message }) => ({ field: `settings.${field}`, message }))
  if (fields.length === 0) return values
  throw new Problem('invalid', fields.map(({ field, message }) => `${field}: ${message}`).join(' '), { fields })
}

/**
 * Marks the provider that sends from the next reload or restart on; null takes a mark back.
 * @throws {Problem} `conflict` for what is not chosen here
 */
function markOf(context: PluginContext, id: string, wanted: boolean | undefined): Values {
  const plugin = pluginOf(context, id)
  if (wanted === undefined || wanted === plugin.enabled) return {}
  if (plugin.categories.includes('storage')) {
    throw new Problem('conflict', 'Document storage is managed by the server. Choose it under Settings, Storage.')
  }
  const { now } = outboundOf(context)
  if (wanted) return { next_outbound_backend: now === id ? null : id }
  if (now !== id) return { next_outbound_backend: null }
  throw new Problem('conflict', `${plugin.name} sends the faxes now. Set another provider active instead.`)
}

/**
 * Saves the settings of a plugin, and whether it is the one that sends. Settings count at once, as everywhere; who sends
 * changes with the next reload or restart.
 * @throws {Problem} `conflict` when it would send and is not set up
 */
export async function saveConfig(
  context: PluginContext,
  id: string,
  body: { enabled?: boolean | undefined; settings?: Readonly<Record<string, unknown>> | undefined },
  keyId: string,
): Promise<void> {
  const mark = markOf(context, id, body.enabled)
  const values = { ...valuesOf(context.settings.rows, id, body.settings ?? {}), ...mark }
  const changed = Object.keys(values)
  if (changed.length === 0) return
  const [problem] = markProblems(context, values)
  if (problem) throw new Problem('conflict', problem.message)
  await context.settings.save(values, keyId, (tx) =>
    context.events.pluginConfigured({ key_id: keyId, plugin: id, changed }, tx),
  )
}
