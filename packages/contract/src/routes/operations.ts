import { z } from 'zod'
import { get, post } from '../route.ts'
import { finding, givenName, instant } from '../shapes.ts'
import { apiKey } from './people/api-keys.ts'

const text = z.string()
const flag = z.boolean()

const tunnelProvider = z.enum(['none', 'cloudflare', 'wireguard', 'tailscale'])

const tunnelStatus = z.object({
  enabled: flag,
  provider: tunnelProvider,
  /** `connecting`: its interface is up here, and whether the other side answers is not known to the gateway. */
  status: z.enum(['disabled', 'connecting', 'connected', 'error']),
  public_url: text.nullable(),
  local_ip: text.nullable(),
  last_checked: instant,
  error_message: text.nullable(),
})
export type TunnelStatus = z.infer<typeof tunnelStatus>

/** By group and check: a boolean is whether it passed, anything else is information. */
const checks = z.record(text, z.record(text, z.union([flag, z.number(), text, z.null()])))

/** What a run of the diagnostics found. */
export const diagnostics = z.looseObject({
  timestamp: instant,
  backend: text,
  outbound_backend: text,
  inbound_backend: text,
  summary: z.object({ healthy: flag, critical_issues: z.array(text), warnings: z.array(text) }),
  checks,
  findings: z.array(finding),
})
export type Diagnostics = z.infer<typeof diagnostics>

/** The test of the line that sends; `passed` and `verdict` are null until it has ended. */
const lineTest = z.object({
  provider: text.nullable(),
  running: flag,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  steps: z.array(
    z.object({ name: text, title: text, state: z.enum(['running', 'passed', 'failed', 'skipped']), detail: text }),
  ),
  passed: flag.nullable(),
  verdict: text.nullable(),
})

export const operationRoutes = {
  runDiagnostics: post('/admin/diagnostics/run', 'run_gateway', {
    summary: 'Check everything the gateway depends on.',
    failure: 'Failed to run diagnostics',
    reply: diagnostics,
  }),
  startLineTest: post('/admin/line-test', 'run_gateway', {
    audits: ['action_started'],
    summary: 'Test the outbound line with a call to its own number. A test that is already running continues.',
    failure: 'Failed to start the line test',
    reply: lineTest,
    status: 202,
  }),
  getLineTest: get('/admin/line-test', 'run_gateway', {
    summary: 'Progress of the line test, or the result of the last one.',
    failure: 'Failed to read the line test',
    reply: lineTest,
  }),
  settleDataFolder: post('/admin/data-folder', 'run_gateway', {
    confirm: true,
    summary:
      'Say what became of a data folder that is found in another place: moved, or copied while the original goes on. In a copy, unfinished faxes are held.',
    failure: 'Failed to answer what became of the data folder',
    audits: ['data_folder_settled'],
    body: z.strictObject({ was: z.enum(['moved', 'copied']) }),
    reply: 'none',
  }),
  listActions: get('/admin/actions', 'run_gateway', {
    summary: 'The fixed commands that can be run.',
    failure: 'Failed to load the actions',
    reply: z.object({ enabled: flag, items: z.array(z.object({ id: text, label: text, about: text })) }),
  }),
  runAction: post('/admin/actions/run', 'run_gateway', {
    summary: 'Run one of the fixed commands.',
    failure: 'Failed to run the action',
    audits: ['action_started', 'action_ended'],
    body: z.object({ id: text.max(60) }),
    /** `code` is 0 after a success and 124 when the time was up. Of long output the end is kept. */
    reply: z.object({ ok: flag, id: text, code: z.number().int(), stdout: text, stderr: text }),
  }),
  getTunnelStatus: get('/admin/tunnel/status', 'run_gateway', {
    summary: 'The status of the tunnel.',
    failure: 'Failed to fetch the tunnel status',
    reply: tunnelStatus,
  }),
  configureTunnel: post('/admin/tunnel/config', 'run_gateway', {
    confirm: true,
    summary: 'Choose the tunnel.',
    failure: 'Failed to configure the tunnel',
    audits: ['settings_changed'],
    body: z.strictObject({ enabled: flag, provider: tunnelProvider }),
    reply: tunnelStatus,
  }),
  testTunnel: post('/admin/tunnel/test', 'run_gateway', {
    summary: 'Call the gateway’s own public address.',
    failure: 'Failed to test the tunnel',
    reply: z.object({ ok: flag, message: text, target: text }),
  }),
  pairTunnel: post('/admin/tunnel/pair', 'manage_keys', {
    confirm: true,
    summary: 'Create a single-use pairing code, valid for five minutes.',
    failure: 'Failed to create a pairing code',
    audits: ['pairing_code_made'],
    reply: z.object({ code: text, expires_at: instant }),
  }),
  redeemPairing: post('/mobile/pair', null, {
    zone: 'public',
    summary: 'Exchange a pairing code for an API key, once.',
    failure: 'Pairing failed',
    audits: ['api_key_created'],
    body: z.object({ code: text.max(40), name: givenName(100).optional() }),
    reply: apiKey.extend({ token: text }),
    status: 201,
  }),
  registerSinchWebhook: post('/admin/tunnel/register-sinch', 'run_gateway', {
    summary: 'Register our inbound address with Sinch.',
    failure: 'Apply failed',
    audits: ['webhook_registered'],
    reply: z.object({ success: flag, webhook_url: text.nullable(), error: text.nullable() }),
  }),
}
