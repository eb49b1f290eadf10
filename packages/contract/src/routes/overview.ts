import { z } from 'zod'
import { get } from '../route.ts'
import { coverTemplate, faxId, instant } from '../shapes.ts'

const text = z.string()
const flag = z.boolean()

export const healthStatus = z.object({
  backend: text,
  backend_healthy: flag,
  /** The provider is well and asked for fewer faxes at a time: new ones wait, and `problem` says until when. */
  backend_paused: flag,
  /** What is wrong, when something is. */
  problem: text.nullable(),
  jobs: z.object({
    queued: z.number(),
    in_progress: z.number(),
    /** For another attempt, or for a provider to which nothing is sent now: in neither of the first two. */
    waiting: z.number(),
    recent_failures: z.number(),
    attention: z.number(),
    held: z.number(),
    /** Failed and neither sent again nor closed by a person, or in need of attention; counted up to 10,000. */
    unresolved: z.number(),
  }),
  inbound_enabled: flag,
  inbound_today: z.number(),
  inbound_unread: z.number(),
  /** Faxes that assistants ask for and a person has to decide about. */
  approvals_waiting: z.number(),
  /** Faxes whose documents will be deleted within a day or two, though that is more than usual. */
  deletions_announced: z.number(),
  /** When `faxdeck backup` last ran; null if it never did. Absent where the database's own tools back it up. */
  last_backup_at: instant.nullable().optional(),
  require_auth: flag,
  api_keys_configured: flag,
  /** The bootstrap key comes from the environment and is short enough to be guessed. */
  weak_bootstrap_key: flag,
  timestamp: instant,
})
export type HealthStatus = z.infer<typeof healthStatus>

export const config = z.object({
  version: text,
  backend: text,
  hybrid: z.object({ outbound: text, inbound: text }),
  /** True while the embedded test line carries every fax. */
  test_line: flag,
  /** The name of a provider that is set up and gets no fax because of the test line. */
  test_line_bypasses: text.nullable(),
  /** The name of the provider in use while its account is in test mode, so that no fax is sent. */
  test_account: text.nullable(),
  /** Where the database was, while nobody has said whether the data folder was moved or copied; nothing is sent then. */
  data_folder_from: text.nullable(),
  demo: flag.optional(),
  storage: z.object({ backend: text }),
  require_api_key: flag,
  enforce_public_https: flag,
  public_api_url: text,
  allow_restart: flag,
  persisted_settings_enabled: flag,
  audit_log_enabled: flag,
  branding: z.object({ docs_base: text }),
  limits: z.object({ max_file_size_mb: z.number() }),
  default_country: text,
  /** The cover page of faxes that do not choose one. */
  default_cover: coverTemplate,
  /** What the sender is called on header lines, and on paper; null while it is not set. */
  organization: z.string().nullable(),
  /** What faxes sent now lack, where many countries require the sender's name and number on each fax; empty on the test line. */
  sender_missing: z.array(z.enum(['name', 'number'])),
  /** How many minutes a Member may read a fax outside of their groups after giving a reason; 0 while that is off. */
  break_glass_minutes: z.number(),
  mcp: z.object({
    sse_enabled: flag,
    sse_path: text,
    http_enabled: flag,
    http_path: text,
    require_oauth: flag,
    oauth: z.object({ issuer: text, audience: text, jwks_url: text }),
  }),
  v3_plugins: z.object({ enabled: flag, active_outbound: text, installed: z.number() }),
})
export type Config = z.infer<typeof config>

/** What a provider can do, by behavior. The console decides by these, never by a provider's name. */
export const traits = z.object({
  webhook_path: text.nullable(),
  sample_payload: z.record(text, z.unknown()).nullable(),
  signature_header: text.nullable(),
  inbound_verification: z.enum(['hmac', 'basic', 'internal_secret', 'none']),
  /** Offered first to somebody who has no provider yet. */
  recommended: flag,
  supports_inbound: flag,
  supports_oauth: flag,
  supports_cancel: flag,
  supports_status: flag,
  requires_ami: flag,
  requires_pages: flag,
})
export type ProviderTraits = z.infer<typeof traits>

const providerEntry = z.object({
  id: text,
  name: text,
  kind: z.enum(['cloud', 'self_hosted', 'managed', 'builtin', 'plugin']),
  configured: flag,
  /** What is missing and where to set it. */
  missing: text.nullable(),
  traits,
  /** Lines for the operator's own telephone switch; `{base_url}` is to be replaced by the gateway's address. */
  snippets: z.array(z.object({ title: text, where: text, code: text })),
})

/** What the dashboard's chart can show. */
const activityRange = z.enum(['1h', '24h', '7d', '30d'])
export type ActivityRange = z.infer<typeof activityRange>

export const activity = z.object({
  /** How long each of `hours` is; an hour unless another range was asked for. */
  slot_minutes: z.number().int(),
  /** The middle of the times from acceptance to delivery, of the last 1,000 faxes delivered in the range; null without any. */
  median_seconds: z.number().nullable(),
  hours: z.array(z.object({ hour: instant, delivered: z.number(), failed: z.number(), received: z.number() })),
  attention: z.array(
    z.object({
      /**
       * `unclear`: a received fax, or a delivered one, that may not be complete. `duplicate`: a fax that was delivered and
       * may be printed again. `partial`: a fax of which some pages arrived. `held`: faxes that wait for a person since a restore. `webhook`: a webhook that was
       * switched off because its receiver fails. `backup`: there is none, or the last one is old.
       */
      kind: z.enum([
        'uncertain',
        'partial',
        'held',
        'duplicate',
        'unclear',
        'failed',
        'late',
        'unhealthy',
        'webhook',
        'backup',
      ]),
      job_id: faxId.nullable(),
      /** Masked. */
      to_number: text.nullable(),
      /** A received fax, instead of a job. */
      inbound_id: faxId.nullable(),
      /** Masked. */
      from_number: text.nullable(),
      sentence: text,
      /** How many faxes of this kind and sentence there are, counted up to 500; the one that is named is the newest. */
      count: z.number().int(),
      at: instant,
    }),
  ),
})
export type Activity = z.infer<typeof activity>

export const overviewRoutes = {
  health: get('/health', null, {
    zone: 'public',
    summary: 'The process answers.',
    failure: 'Failed to fetch health status',
    reply: z.object({ status: z.literal('ok') }),
  }),
  getConfig: get('/admin/config', 'use_console', {
    summary: 'Configuration for the console; also its login check.',
    failure: 'Invalid API key or insufficient permissions',
    audits: ['login_succeeded'],
    reply: config,
  }),
  getHealthStatus: get('/admin/health-status', 'see_activity', {
    summary: 'The state of the provider, the queue and receiving.',
    failure: 'Failed to fetch health status',
    reply: healthStatus,
  }),
  getActivity: get('/admin/activity', 'see_activity', {
    summary: 'Faxes per hour of the last 24 hours, or of another range in other steps, and what needs attention first.',
    failure: 'Failed to fetch health status',
    query: z.object({ range: activityRange.default('24h') }),
    reply: activity,
  }),
  listProviders: get('/admin/providers', 'use_console', {
    summary: 'The providers, what they can do, and which are in use.',
    failure: 'Failed to fetch provider traits',
    shortError: 'Failed to fetch providers',
    reply: z.object({
      schema_version: z.literal(1),
      active: z.object({ outbound: text, inbound: text }),
      registry: z.record(text, providerEntry),
    }),
  }),
}
