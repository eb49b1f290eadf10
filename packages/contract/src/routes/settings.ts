import { z } from 'zod'
import { get, post, put } from '../route.ts'
import { anything, done, finding } from '../shapes.ts'

const text = z.string()
const flag = z.boolean()
const count = z.number().int()

/** The settings as the console reads them. Secrets are masked; providers may add groups of their own. */
export const settings = z.looseObject({
  backend: z.looseObject({ type: text, disabled: flag }),
  hybrid: z.looseObject({
    outbound_backend: text,
    inbound_backend: text,
    outbound_explicit: flag,
    inbound_explicit: flag,
  }),
  security: z.looseObject({ require_api_key: flag, enforce_https: flag, public_api_url: text, audit_enabled: flag }),
  audit_log_enabled: flag,
  limits: z.looseObject({
    pdf_token_ttl_minutes: count,
    max_file_size_mb: count,
    rate_limit_rpm: count,
    read_rpm: count.nullable(),
    inbound_list_rpm: count,
    inbound_get_rpm: count,
  }),
  features: z.looseObject({ v3_plugins: flag, plugin_install: flag }),
  inbound: z.looseObject({ enabled: flag, retention_days: count, needs_storage: flag }),
  storage: z.looseObject({ backend: text, s3_bucket: text, s3_region: text, s3_prefix: text, s3_endpoint_url: text }),
  database: z.looseObject({ url: text }),
})
export type Settings = z.infer<typeof settings>

/** Field names and values of a change; null clears a value, an absent field keeps it. Checked against the setting rows. */
const settingsPatch = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const settingValue = z.union([text, z.number(), flag, z.null()])
const settingSource = z.enum(['default', 'environment', 'saved'])

/** One setting as a form renders it. */
export const describedSetting = z.object({
  key: text,
  env: text,
  at: text,
  type: z.enum(['text', 'secret', 'number', 'switch', 'choice']),
  group: text,
  /** The provider whose account or line it belongs to. */
  provider: text.optional(),
  label: text,
  help: text,
  /** Secrets: "configured" and at most the last four characters; never the value. */
  value: settingValue,
  configured: flag,
  default: settingValue,
  is_default: flag,
  source: settingSource,
  /** What counts once the saved value is cleared; only where one is saved. */
  beneath: z.object({ value: settingValue, source: settingSource }).optional(),
  fixed: flag,
  /** Why it cannot be changed in a form, and who may change it. */
  fixed_why: text.optional(),
  restart: flag,
  /** A secret that a form may offer to draw at random. */
  drawn: z.literal(true).optional(),
  /** Of use only while another setting has this value. */
  only_when: z.object({ key: text, is: text }).optional(),
  /** Rarely changed: a form folds it away. */
  advanced: z.literal(true).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  /** Numbers with parts of one are accepted. */
  fraction: z.literal(true).optional(),
  /** What a form takes instead of what is no number. */
  fallback: z.number().optional(),
  /** Of a choice, and of a switch that is offered as one: "true" and "false". */
  choices: z.array(z.object({ value: text, label: text })).optional(),
  placeholder: text.optional(),
})
export type DescribedSetting = z.infer<typeof describedSetting>

export const settingsRoutes = {
  getSettings: get('/admin/settings', 'manage_settings', {
    summary: 'The current settings, secrets masked.',
    failure: 'Failed to fetch settings',
    reply: settings,
  }),
  describeSettings: get('/admin/settings/rows', 'manage_settings', {
    summary: 'Every setting with its label, help, limits, value and where the value comes from.',
    failure: 'Failed to load settings',
    reply: z.object({ rows: z.array(describedSetting) }),
  }),
  updateSettings: put('/admin/settings', 'manage_settings', {
    confirm: true,
    summary: 'Change settings, all or none. Unknown names are refused.',
    failure: 'Failed to apply settings',
    audits: ['settings_changed'],
    body: settingsPatch,
    reply: settings.extend({ _meta: z.looseObject({ restart_recommended: flag, changed: z.array(text) }) }),
  }),
  validateSettings: post('/admin/settings/validate', 'manage_settings', {
    summary: 'Try settings with the real provider, without saving them.',
    failure: 'Validation failed',
    audits: ['settings_validated'],
    body: settingsPatch,
    reply: z.object({
      backend: text,
      checks: z.record(text, flag),
      /** What the provider or the way to it said against the settings. */
      error: text.optional(),
      findings: z.array(finding),
    }),
  }),
  exportSettings: get('/admin/settings/export', 'manage_settings', {
    confirm: true,
    summary: 'The settings as an .env file; secrets only on request, which is audited.',
    failure: 'Failed to export settings',
    audits: ['settings_exported'],
    query: z.object({ secrets: z.enum(['true', 'false']).default('false') }),
    reply: z.object({ env_content: text }),
  }),
  persistSettings: post('/admin/settings/persist', 'manage_settings', {
    confirm: true,
    summary:
      'Write faxdeck.env in the data directory: the given content, or all current settings. It accepts only what PUT /admin/settings accepts; `path` is optional and can’t name another file.',
    failure: 'Failed to save on server',
    audits: ['settings_persisted'],
    body: z
      .object({
        content: text.max(200_000).optional(),
        path: text.max(1000).optional(),
        /** Says what would change and writes nothing. */
        dry_run: z.boolean().optional(),
      })
      .default({}),
    reply: done.extend({
      path: text,
      /** The variables that change; null where one is not there. Secrets are masked. */
      changes: z.array(z.object({ name: text, before: text.nullable(), after: text.nullable() })),
    }),
  }),
  reloadSettings: post('/admin/settings/reload', 'manage_settings', {
    summary: 'Read the saved settings again and rebuild what depends on them.',
    failure: 'Failed to load settings',
    audits: ['settings_changed'],
    reply: settings,
  }),
  restart: post('/admin/restart', 'run_gateway', {
    summary: 'Shut down gracefully, so that the supervisor restarts the gateway.',
    failure: 'Failed to save and restart',
    audits: ['restart_requested'],
    reply: done,
    status: 202,
  }),
  getEncryption: get('/admin/encryption', 'manage_settings', {
    summary: 'How far the encryption of what was stored before is.',
    failure: 'Failed to load the state of encryption',
    reply: z.object({
      /** `erasing`: documents and words are encrypted, and what they were before is being overwritten in the database. */
      state: z.enum(['off', 'encrypting', 'erasing', 'done']),
      /** Since it began, or this gateway started. */
      documents_done: count,
      documents_total: count,
      /** Why it is not done yet, and what to do; null while it goes on. */
      problem: text.nullable(),
    }),
  }),
  getDbStatus: get('/admin/db-status', 'run_gateway', {
    summary: 'The database: engine, reachability, counts, size.',
    failure: 'Failed to load DB status',
    reply: z.object({
      url: text,
      engine: z.enum(['sqlite', 'postgres']),
      connected: flag,
      error: text.nullable(),
      counts: z.record(text, count),
      sqlite: anything.optional(),
    }),
  }),
}
