import { declarationFaults, registryFaults } from '@faxdeck/provider-kit/declaration'
import type { Values } from '@faxdeck/settings'
import { invalid } from '../../base/http/answers/invalid.ts'
import { storageIds } from './list.ts'
import type { Manifest } from './manifest/manifest.ts'
import { providerOf } from './manifest/provider.ts'
import { writeManifest } from './store.ts'
import type { PluginContext } from './installed.ts'

/** Where a plugin is configured. */
export const configPath = (id: string): string => `/plugins/${id}/config`

export interface Installed {
  id: string
  name: string
  path: string
}

/** Words that name something else wherever a provider's id may stand: in settings, lanes, addresses and filters. */
const reservedIds = new Set(['test', 'disabled', 'inbound', 'outbound', 'core', 'none', 'default', 'all', 'unknown'])

const isTaken = ({ plugins }: PluginContext, id: string) =>
  plugins.isBuiltin(id) || storageIds.some((storage) => storage === id) || reservedIds.has(id) || id in {}

/**
 * Reads a manifest as it would be installed: it is held to the same rules as the providers of the product.
 * @throws {Problem} `invalid` with a sentence for each field that cannot be used, `too_large`
 */
export function checkManifest(context: PluginContext, raw: unknown): Manifest {
  const { plugins, providers, settings } = context
  const manifest = plugins.read(raw)
  const { id } = manifest
  if (isTaken(context, id)) {
    throw invalid([{ path: ['id'], message: `"${id}" is built in. Give the manifest a different id.` }])
  }
  const provider = providerOf(manifest)
  const others = providers.providers.filter((other) => other.id !== id)
  const core = settings.rows.filter((row) => row.provider === undefined)
  const faults = [...declarationFaults(provider), ...registryFaults([...others, provider], core)]
  if (faults.length > 0) throw invalid(faults.map((message) => ({ path: ['manifest'], message })))
  return manifest
}

export const installedAs = ({ id, name }: Manifest): Installed => ({ id, name, path: configPath(id) })

/** Credentials were entered for the hosts that the manifest named then; they do not go to others. */
function credentialsToForget({ plugins, settings }: PluginContext, manifest: Manifest): Values {
  const before = plugins.find(manifest.id)
  if (!before) return {}
  const known = before.manifest?.allowed_domains.map((domain) => domain.toLowerCase()) ?? []
  if (manifest.allowed_domains.every((domain) => known.includes(domain.toLowerCase()))) return {}
  const { saved } = settings.layers()
  const secrets = before.provider.settings.filter((row) => row.type === 'secret' && Object.hasOwn(saved, row.key))
  return Object.fromEntries(secrets.map(({ key }) => [key, null]))
}

/**
 * Installs a manifest, or puts it in the place of the one with its id. Every process has it within two seconds.
 * @throws {Problem} as `checkManifest`
 */
export async function installManifest(context: PluginContext, raw: unknown, keyId: string): Promise<Installed> {
  const { settings, events, now } = context
  const manifest = checkManifest(context, raw)
  const { id, allowed_domains: domains } = manifest
  await settings.save(credentialsToForget(context, manifest), keyId, async (tx) => {
    await writeManifest(tx, { id, text: JSON.stringify(raw) }, { keyId, now: now() })
    await events.pluginInstalled({ key_id: keyId, plugin: id, domains }, tx)
  })
  return installedAs(manifest)
}
