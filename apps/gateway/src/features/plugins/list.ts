import { type Plugin, type RegistryItem, routes } from '@faxdeck/contract'
import type { Provider } from '@faxdeck/provider-kit'
import type { SettingRow } from '@faxdeck/settings'
import type { GatewayContext } from '../../base/context.ts'
import type { PluginContext } from './installed.ts'
import { readFileSync } from 'node:fs'

/** The curated registry: what is part of the product, and services that a manifest can speak to. */
export const registry: readonly RegistryItem[] = routes.listPluginRegistry.reply.parse(
  JSON.parse(readFileSync(new URL('registry.json', import.meta.url), 'utf8')),
).items

/** Storage is chosen under Settings; here it is only shown and configured. */
export const storageIds = ['local', 's3'] as const
const storing = ['store', 'retrieve', 'delete']

/** The settings that a plugin's configuration dialog shows. */
export const rowsOf = (rows: readonly SettingRow[], id: string): SettingRow[] =>
  rows.filter((row) => row.plugin?.id === id)

/** The provider that sends now, and the one that will after the next reload. Never the test line. */
export function outboundOf({ settings }: Pick<GatewayContext, 'settings'>): { now: string; next: string } {
  const { backend, outbound_backend, next_outbound_backend } = settings.current()
  const now = outbound_backend ?? backend
  return { now, next: next_outbound_backend ?? now }
}

function capabilitiesOf({ open, traits, webhooks }: Provider): string[] {
  const all: [boolean, string][] = [
    [open !== undefined, 'send'],
    [traits.supports_status, 'get_status'],
    [traits.supports_cancel, 'cancel'],
    [traits.supports_inbound, 'receive'],
    [webhooks.length > 0, 'webhook'],
  ]
  return all.filter(([can]) => can).map(([, name]) => name)
}

function pluginOf(context: PluginContext, provider: Provider): Plugin {
  const { id, name, kind } = provider
  const installed = context.plugins.find(id)
  const curated = registry.find((item) => item.id === id)
  const { now, next } = outboundOf(context)
  const missing = provider.missing(context.providers.settingsOf(provider))
  const speaksTo = installed?.manifest ? `Connects to ${installed.manifest.allowed_domains.join(', ')}.` : ''
  return {
    id,
    name,
    version: installed?.manifest?.version ?? curated?.version ?? '1.0.0',
    categories: ['outbound'],
    capabilities: capabilitiesOf(provider),
    description: installed
      ? installed.manifest?.description || speaksTo || provider.missing({}) || ''
      : (curated?.description ?? ''),
    enabled: next === id,
    active: now === id,
    ...(missing !== undefined && { missing }),
    configurable: true,
    source: kind === 'plugin' ? 'manifest' : 'builtin',
  }
}

function storageOf({ settings }: GatewayContext, id: (typeof storageIds)[number]): Plugin {
  const item = registry.find((each) => each.id === id)
  const used: string = settings.current().storage_backend
  const inUse = used === id
  return {
    id,
    name: item?.name ?? id,
    version: item?.version ?? '1.0.0',
    categories: ['storage'],
    capabilities: storing,
    description: item?.description ?? '',
    enabled: inUse,
    active: inUse,
    configurable: rowsOf(settings.rows, id).length > 0,
    source: 'builtin',
  }
}

/** Everything that can be chosen or configured: providers, and where documents are kept. */
export function listPlugins(context: PluginContext): Plugin[] {
  const providers = context.providers.providers.filter(({ kind }) => kind !== 'builtin')
  return [...providers.map((each) => pluginOf(context, each)), ...storageIds.map((id) => storageOf(context, id))]
}
