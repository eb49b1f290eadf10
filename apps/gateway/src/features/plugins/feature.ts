import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { readConfig, saveConfig } from './configure.ts'
import { reportOn } from './dry-run.ts'
import { importManifests } from './import.ts'
import { checkManifest, configPath, installManifest } from './install.ts'
import { listPlugins, registry } from './list.ts'
import { removePlugin } from './remove.ts'
import { holdManifests } from './store.ts'
import type { PluginContext } from './installed.ts'

const switchedOff = 'v3 plugins are disabled. Turn on Plugins under Settings, Feature Flags.'

/** Providers and storage as plugins, and HTTP manifests that become providers. */
export function createPlugins(context: PluginContext) {
  holdManifests(context)
  const whenOn =
    <Call, Answer>(handler: (call: Call) => Answer) =>
    (call: Call): Answer => {
      if (!context.settings.current().feature_v3_plugins) throw new Problem('feature_disabled', switchedOff)
      return handler(call)
    }
  const routes = {
    listPlugins: whenOn(() => ({ items: listPlugins(context) })),
    getPluginConfig: whenOn(({ params }) => readConfig(context, params.id)),
    updatePluginConfig: whenOn(async ({ params, body, caller }) => {
      await saveConfig(context, params.id, body, caller.keyId)
      return { ok: true, path: configPath(params.id) }
    }),
    listPluginRegistry: whenOn(() => ({ items: [...registry] })),
    validateManifest: whenOn(({ body }) => reportOn(checkManifest(context, body.manifest), body)),
    installManifest: whenOn(async ({ body, caller }) => {
      const { id, path } = await installManifest(context, body.manifest, caller.keyId)
      return { ok: true, id, path }
    }),
    importManifests: whenOn(async ({ body, caller }) => {
      return { ok: true, ...(await importManifests(context, body, caller.keyId)) }
    }),
    removePlugin: whenOn(async ({ params, caller }) => {
      await removePlugin(context, params.id, caller.keyId)
      return { ok: true }
    }),
  } satisfies Partial<Handlers>
  return { name: 'plugins', routes } satisfies Feature
}
