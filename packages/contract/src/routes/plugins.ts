import { z } from 'zod'
import { del, get, post, put } from '../route.ts'
import { anything, done } from '../shapes.ts'
import { describedSetting } from './settings.ts'

const text = z.string()
const pluginId = z.object({ id: z.string().regex(/^[a-z0-9-]{2,40}$/) })

export const plugin = z.object({
  id: text,
  name: text,
  version: text,
  categories: z.array(z.enum(['outbound', 'storage'])),
  capabilities: z.array(text),
  description: text,
  /** Chosen to send, or in use for storage: in force now, or from the next reload or restart on. */
  enabled: z.boolean(),
  /** In force now. */
  active: z.boolean(),
  /** Why it cannot be used: what is not set. Absent when it is ready. */
  missing: text.optional(),
  configurable: z.boolean(),
  /** Part of the product, or an installed manifest. */
  source: z.enum(['builtin', 'manifest']),
})
export type Plugin = z.infer<typeof plugin>
const registryItem = z.object({
  id: text,
  name: text,
  version: text,
  categories: z.array(text),
  description: text,
  learn_more: text.optional(),
})
export type RegistryItem = z.infer<typeof registryItem>

const pluginConfig = z.object({
  enabled: z.boolean(),
  /** Values in force by their name in the plugin, secrets masked. */
  settings: anything,
  /** The same settings as a form renders them. */
  fields: z.array(z.object({ name: text, setting: describedSetting })),
})
export type PluginConfig = z.infer<typeof pluginConfig>

/** A request as it would be sent, with the credentials masked. */
const renderedRequest = z.object({
  action: text,
  method: text,
  url: text,
  headers: z.record(text, text),
  body: text.nullable(),
})
const manifestReport = z.object({
  id: text,
  name: text,
  actions: z.array(text),
  allowed_domains: z.array(text),
  /** What will not work as somebody may hope: one sentence each. */
  warnings: z.array(text),
  /** Names of the settings and credentials that the plugin will ask for. */
  credentials: z.array(text),
  settings: z.array(text),
  requests: z.array(renderedRequest),
  /** Nothing is ever sent by this call. */
  sent: z.literal(false),
})
export type ManifestReport = z.infer<typeof manifestReport>

export const pluginRoutes = {
  listPlugins: get('/plugins', 'manage_settings', {
    summary: 'The installed plugins.',
    failure: 'Failed to load plugins',
    reply: z.object({ items: z.array(plugin) }),
  }),
  getPluginConfig: get('/plugins/:id/config', 'manage_settings', {
    summary: 'The configuration of one plugin.',
    failure: 'Failed to load plugin config',
    params: pluginId,
    reply: pluginConfig,
  }),
  updatePluginConfig: put('/plugins/:id/config', 'manage_settings', {
    confirm: true,
    summary: 'Save the configuration of one plugin.',
    failure: 'Failed to save plugin config',
    audits: ['plugin_configured'],
    params: pluginId,
    body: z.object({ enabled: z.boolean().optional(), settings: anything.optional() }),
    reply: done.extend({ path: text }),
  }),
  listPluginRegistry: get('/plugin-registry', 'manage_settings', {
    summary: 'The curated registry.',
    failure: 'Failed to load plugins',
    reply: z.object({ items: z.array(registryItem) }),
  }),
  validateManifest: post('/admin/plugins/http/validate', 'manage_settings', {
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
    reply: manifestReport,
  }),
  installManifest: post('/admin/plugins/http/install', 'manage_settings', {
    confirm: true,
    summary: 'Install an HTTP manifest as a provider.',
    failure: 'Install failed',
    audits: ['plugin_installed'],
    body: z.object({ manifest: anything }),
    reply: done.extend({ id: text, path: text }),
  }),
  importManifests: post('/admin/plugins/http/import-manifests', 'manage_settings', {
    confirm: true,
    summary:
      'Install many manifests from a list, from markdown, or from the folder plugin-manifests of the data directory.',
    failure: 'Import failed',
    audits: ['plugin_installed'],
    body: z.object({
      items: z.array(anything).max(200).optional(),
      markdown: text.max(1_000_000).optional(),
      source: z.literal('repo_scrape').optional(),
      /** Checks everything and installs nothing. */
      test: z.boolean().default(false),
    }),
    reply: done.extend({
      /** What was installed; with `test`, what would be. */
      imported: z.array(z.object({ id: text, name: text, path: text })),
      errors: z.array(z.object({ error: text, data_keys: z.array(text) })),
    }),
  }),
  removePlugin: del('/plugins/:id', 'manage_settings', {
    summary: 'Remove an installed manifest that is not in use, together with its settings.',
    failure: 'Remove failed',
    audits: ['plugin_removed'],
    params: pluginId,
    reply: done,
  }),
}
