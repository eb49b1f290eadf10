import type { RegistryItem } from '@faxdeck/contract'
import { type FakeCalls, findIn, Refusal } from '../fake-calls.ts'
import { saveSettings } from './fake-settings.ts'
import type { World } from '../world.ts'
import { pluginOf, settingOf } from './made-plugins.ts'

type Manifest = Record<string, unknown>

const registry: RegistryItem[] = [
  { id: 'phaxio', name: 'Phaxio Cloud Fax', version: '1.0.2', categories: ['outbound'], description: 'Phaxio v2.' },
  {
    id: 'faxplus',
    name: 'FAX.PLUS',
    version: '1.0.0',
    categories: ['outbound'],
    description: 'A cloud fax service with an HTTP API.',
    learn_more: 'https://apidoc.fax.plus/',
  },
]

const textOf = (value: unknown, fallback = '') => (typeof value === 'string' ? value : fallback)

function idOf(manifest: Manifest): string {
  const id = textOf(manifest.id)
  if (/^[a-z0-9-]{2,40}$/.test(id) && manifest.actions) return id
  throw new Refusal('invalid', 'id: An id has 2 to 40 of a-z, 0-9 and single hyphens in between, such as acme-fax.')
}

/** Puts an installed manifest into the world. */
export function addManifest(world: World, manifest: Manifest): { id: string; name: string; path: string } {
  const id = idOf(manifest)
  const name = textOf(manifest.name, id)
  const token = settingOf(`plugin_${id.replaceAll('-', '_')}_token`, 'Token', { type: 'secret' })
  world.plugins = world.plugins.filter(({ plugin }) => plugin.id !== id)
  world.plugins.push({
    plugin: pluginOf(id, name, { source: 'manifest', description: 'Connects to api.acme.example.' }),
    fields: [{ name: 'token', setting: token }],
  })
  return { id, name, path: `/plugins/${id}/config` }
}

function importAll(world: World, items: Manifest[], test: boolean) {
  const imported: ReturnType<typeof addManifest>[] = []
  const errors: { error: string; data_keys: string[] }[] = []
  for (const item of items) {
    try {
      const id = idOf(item)
      imported.push(test ? { id, name: textOf(item.name, id), path: '' } : addManifest(world, item))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errors.push({ error: error.message, data_keys: Object.keys(item) })
    }
  }
  return { ok: true as const, imported, errors }
}

function requestOf(manifest: Manifest, to: string) {
  return {
    action: 'send_fax',
    method: 'POST',
    url: `https://api.acme.example/${textOf(manifest.id)}/faxes`,
    headers: { Authorization: 'Bearer ***' },
    body: `to: ${to}`,
  }
}

export function pluginCalls(world: World) {
  const find = (id: string) => findIn(world.plugins, ({ plugin }) => plugin.id === id, 'plugin_not_found')
  return {
    listPlugins: () => ({ items: world.plugins.map(({ plugin }) => plugin) }),
    listPluginRegistry: () => ({ items: registry }),
    getPluginConfig: ({ params }) => {
      const { plugin, fields } = find(params.id)
      const settings = Object.fromEntries(fields.map(({ name, setting }) => [name, setting.value]))
      return { enabled: plugin.enabled, settings, fields }
    },
    updatePluginConfig: ({ params, body }) => {
      const { plugin, fields } = find(params.id)
      if (body.enabled !== undefined && body.enabled !== plugin.enabled) {
        if (body.enabled && plugin.missing !== undefined) throw new Refusal('conflict', plugin.missing)
        saveSettings(world, { next_outbound_backend: body.enabled && !plugin.active ? plugin.id : null })
      }
      for (const { name, setting } of fields) {
        const value = body.settings?.[name]
        if (typeof value === 'string' || typeof value === 'boolean') setting.value = value
      }
      return { ok: true, path: `/plugins/${params.id}/config` }
    },
    removePlugin: ({ params }) => {
      world.plugins.splice(world.plugins.indexOf(find(params.id)), 1)
      return { ok: true }
    },
  } satisfies FakeCalls
}

/** What is done with HTTP manifests before they are plugins. */
export function manifestCalls(world: World) {
  return {
    validateManifest: ({ body }) => ({
      id: idOf(body.manifest),
      name: textOf(body.manifest.name, idOf(body.manifest)),
      actions: ['send_fax'],
      allowed_domains: ['api.acme.example'],
      warnings: ['There is no actions.get_status: what becomes of a fax is not asked.'],
      credentials: ['token'],
      settings: [],
      requests: [requestOf(body.manifest, body.to ?? '')],
      sent: false as const,
    }),
    installManifest: ({ body }) => {
      const { id, path } = addManifest(world, body.manifest)
      return { ok: true, id, path }
    },
    importManifests: ({ body }) => {
      if (body.source) throw new Refusal('bad_request', 'Put manifests into the folder plugin-manifests.')
      return importAll(world, body.items ?? [], body.test ?? false)
    },
  } satisfies FakeCalls
}
