import type { Handlers } from '../http/handler.ts'
import { readConfig, saveConfig } from './configure.ts'
import { configPath, type PluginDoors, requirePlugins } from './doors.ts'
import { reportOn } from './dry-run.ts'
import { importManifests } from './import.ts'
import { checkManifest, installManifest } from './install.ts'
import { listPlugins } from './list.ts'
import { registry } from './registry.ts'
import { removePlugin } from './remove.ts'

export type PluginRoutes =
  | 'listPlugins'
  | 'getPluginConfig'
  | 'updatePluginConfig'
  | 'listPluginRegistry'
  | 'validateManifest'
  | 'installManifest'
  | 'importManifests'
  | 'removePlugin'

/** Providers and storage as plugins, and HTTP manifests that become providers. */
export function pluginHandlers(doors: PluginDoors): Handlers<PluginRoutes> {
  const whenOn =
    <Call, Answer>(handler: (call: Call) => Answer) =>
    (call: Call): Answer => {
      requirePlugins(doors)
      return handler(call)
    }
  return {
    listPlugins: whenOn(() => ({ items: listPlugins(doors) })),
    getPluginConfig: whenOn(({ params }) => readConfig(doors, params.id)),
    updatePluginConfig: whenOn(async ({ params, body, caller }) => {
      await saveConfig(doors, params.id, body, caller.keyId)
      return { ok: true, path: configPath(params.id) }
    }),
    listPluginRegistry: whenOn(() => ({ items: [...registry] })),
    validateManifest: whenOn(({ body }) => reportOn(checkManifest(doors, body.manifest), body)),
    installManifest: whenOn(async ({ body, caller }) => {
      const { id, path } = await installManifest(doors, body.manifest, caller.keyId)
      return { ok: true, id, path }
    }),
    importManifests: whenOn(async ({ body, caller }) => {
      return { ok: true, ...(await importManifests(doors, body, caller.keyId)) }
    }),
    removePlugin: whenOn(async ({ params, caller }) => {
      await removePlugin(doors, params.id, caller.keyId)
      return { ok: true }
    }),
  }
}
