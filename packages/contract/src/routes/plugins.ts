import { z } from 'zod'
import { route } from '../route.ts'
import { anything, done } from '../shapes.ts'

const text = z.string()
const pluginId = z.object({ id: z.string().regex(/^[a-z0-9-]{2,40}$/) })

export const plugin = z.object({
  id: text,
  name: text,
  version: text,
  categories: z.array(z.enum(['outbound', 'storage'])),
  capabilities: z.array(text),
  description: text,
  enabled: z.boolean(),
  configurable: z.boolean(),
})
export const registryItem = z.object({
  id: text,
  name: text,
  version: text,
  categories: z.array(text),
  description: text,
  learn_more: text.optional(),
})
export const pluginConfig = z.object({ enabled: z.boolean(), settings: anything })

export const pluginRoutes = {
  listPlugins: route({
    method: 'GET',
    path: '/plugins',
    scope: 'keys:manage',
    summary: 'The installed plugins.',
    failure: 'Failed to load plugins',
    reply: z.object({ items: z.array(plugin) }),
  }),
  getPluginConfig: route({
    method: 'GET',
    path: '/plugins/:id/config',
    scope: 'keys:manage',
    summary: 'The configuration of one plugin.',
    failure: 'Failed to load plugin config',
    params: pluginId,
    reply: pluginConfig,
  }),
  updatePluginConfig: route({
    method: 'PUT',
    path: '/plugins/:id/config',
    scope: 'keys:manage',
    summary: 'Save the configuration of one plugin.',
    failure: 'Failed to save plugin config',
    params: pluginId,
    body: z.object({ enabled: z.boolean().optional(), settings: anything.optional() }),
    reply: done.extend({ path: text }),
  }),
  listPluginRegistry: route({
    method: 'GET',
    path: '/plugin-registry',
    scope: 'keys:manage',
    summary: 'The curated registry.',
    failure: 'Failed to load plugins',
    reply: z.object({ items: z.array(registryItem) }),
  }),
  validateManifest: route({
    method: 'POST',
    path: '/admin/plugins/http/validate',
    scope: 'keys:manage',
    summary: 'Check a manifest and render its send request without sending.',
    failure: 'Validate failed',
    body: z.object({
      manifest: anything,
      credentials: anything.optional(),
      settings: anything.optional(),
      to: text.optional(),
      file_url: text.optional(),
      from_number: text.optional(),
      render_only: z.boolean().default(true),
    }),
    reply: z.looseObject({ id: text, name: text, actions: z.array(text), allowed_domains: z.array(text) }),
  }),
  installManifest: route({
    method: 'POST',
    path: '/admin/plugins/http/install',
    scope: 'keys:manage',
    summary: 'Install an HTTP manifest as a provider.',
    failure: 'Install failed',
    body: z.object({ manifest: anything }),
    reply: done.extend({ id: text, path: text }),
  }),
  importManifests: route({
    method: 'POST',
    path: '/admin/plugins/http/import-manifests',
    scope: 'keys:manage',
    summary: 'Install many manifests from a list, from markdown or from the bundled list.',
    failure: 'Import failed',
    body: z.object({
      items: z.array(anything).max(200).optional(),
      markdown: text.max(1_000_000).optional(),
      source: z.literal('repo_scrape').optional(),
    }),
    reply: done.extend({
      imported: z.array(z.object({ id: text, name: text, path: text })),
      errors: z.array(anything),
    }),
  }),
}
