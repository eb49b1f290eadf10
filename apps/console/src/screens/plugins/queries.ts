import type { InputOf, ManifestReport, Plugin, PluginConfig, RegistryItem, ReplyOf, Routes } from '@faxdeck/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { configQuery } from '../../api/overview.ts'

export type { ManifestReport, Plugin, PluginConfig, RegistryItem }
export type Imported = ReplyOf<Routes['importManifests']>
export type DryRun = InputOf<Routes['validateManifest']>['body']
export type ImportRequest = InputOf<Routes['importManifests']>['body']

export const pluginsQuery = queryOptions({
  queryKey: ['plugins'],
  queryFn: async ({ signal }) => (await client.listPlugins({}, { signal })).items,
})

export const registryQuery = queryOptions({
  queryKey: ['plugin-registry'],
  queryFn: async ({ signal }) => (await client.listPluginRegistry({}, { signal })).items,
  staleTime: 60_000,
})

export const pluginConfigQuery = (id: string) =>
  queryOptions({
    queryKey: ['plugin-config', id],
    queryFn: ({ signal }) => client.getPluginConfig({ params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** What an installed, removed or chosen plugin makes stale elsewhere. */
export const touched = [pluginsQuery.queryKey, configQuery.queryKey, ['plugin-config'], ['providers'], ['settings']]

export const savePlugin = ({ id, ...body }: { id: string; enabled?: boolean; settings?: Record<string, unknown> }) =>
  client.updatePluginConfig({ params: { id }, body })

/** Marks the provider; it sends from the next reload or restart on. */
export const setActive = (id: string) => client.updatePluginConfig({ params: { id }, body: { enabled: true } })

export const reloadSettings = () => client.reloadSettings({})
export const removePlugin = (id: string) => client.removePlugin({ params: { id } })
export const validateManifest = (body: DryRun) => client.validateManifest({ body })
export const installManifest = (manifest: Record<string, unknown>) => client.installManifest({ body: { manifest } })
export const importManifests = (body: ImportRequest) => client.importManifests({ body })
