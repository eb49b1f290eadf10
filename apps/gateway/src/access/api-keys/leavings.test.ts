import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnvFile } from '@faxdeck/settings'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '../../compose.ts'
import { startIssuer } from '../../features/mcp/testing/issuer.ts'
import { acmeManifest } from '../../features/plugins/testing/acme.ts'
import { newPostgresDatabase, waitForPostgres } from '../../testing/databases.ts'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A folder without variables that would fix where the database is. */
function home(): string {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-leavings-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function ask({ app }: TestGateway, key: string, method: Method, url: string, payload?: object) {
  const headers = { host: 'localhost', 'x-api-key': key }
  const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return { status: answer.statusCode, body: answer.json() }
}

async function makeKey(gateway: TestGateway, by = gateway.key): Promise<{ key_id: string; token: string }> {
  const { body } = await ask(gateway, by, 'POST', '/admin/api-keys', { scopes: ['keys:manage'] })
  return body
}

const save = (gateway: TestGateway, key: string, values: object) => ask(gateway, key, 'PUT', '/admin/settings', values)
const revoke = async (gateway: TestGateway, id: string, query = '') =>
  (await ask(gateway, gateway.key, 'DELETE', `/admin/api-keys/${id}${query}`)).body
const linesOf = (directory: string) =>
  existsSync(join(directory, 'faxdeck.env')) ? parseEnvFile(readFileSync(join(directory, 'faxdeck.env'), 'utf8')) : {}

/** One value for each row that opens access, other than its default. */
const planted = {
  backend: 'sinch',
  outbound_backend: 'documo',
  next_outbound_backend: 'phaxio',
  inbound_backend: 'signalwire',
  failover_backend: 'documo',
  require_api_key: false,
  public_api_url: 'https://evil.example',
  enforce_public_https: false,
  allowed_hosts: 'evil.example',
  admin_allowed_cidrs: '0.0.0.0/0',
  internal_allowed_cidrs: '0.0.0.0/0',
  trusted_proxies: '0.0.0.0/0',
  feature_v3_plugins: true,
  feature_plugin_install: true,
  enable_admin_exec: true,
  storage_backend: 'local',
  s3_bucket: 'evil',
  s3_region: 'evil-1',
  s3_prefix: 'evil/',
  s3_endpoint_url: 'https://s3.evil.example',
  s3_kms_key_id: 'evil-key',
  enable_mcp_sse: true,
  enable_mcp_http: true,
  require_mcp_oauth: true,
  require_mcp_approval: true,
  oauth_issuer: 'https://evil.example',
  oauth_audience: 'evil',
  oauth_jwks_url: 'https://evil.example/jwks',
  enable_persisted_settings: true,
  docs_base_url: 'https://evil.example',
  phaxio_api_key: 'evil-api-key',
  phaxio_base_url: 'https://evil.example/v2.1',
  phaxio_callback_token: 'evil-callback-token',
  phaxio_verify_signature: false,
  sinch_project_id: 'evil',
  sinch_inbound_basic_pass: 'evil-password',
  asterisk_inbound_secret: 'evil-secret',
  ami_host: 'evil.example',
  oidc_issuer: 'https://evil.example',
  oidc_client_id: 'evil',
  oidc_domains: 'evil.example',
  oidc_create: true,
  oidc_role_claim: 'evil',
  oidc_roles: 'evil=administrator',
  oidc_default_role: 'operator',
  trail_syslog: 'evil.example:6514',
  trail_webhook_url: 'https://evil.example/trail',
  document_encryption: 'off',
}

function suite(start: (directory: string) => Promise<TestGateway>) {
  it('takes back every planted setting at once and for good, and names it', async () => {
    const directory = home()
    const gateway = await start(directory)
    await save(gateway, gateway.key, { phaxio_api_secret: 'good-api-secret' })
    const before = gateway.gateway.settings.current()
    const bad = await makeKey(gateway)
    expect(await save(gateway, bad.token, planted)).toMatchObject({ status: 200 })
    const preview = await ask(gateway, gateway.key, 'GET', `/admin/api-keys/${bad.key_id}/leavings`)
    const answer = await revoke(gateway, bad.key_id)
    expect(answer.settings_undone.toSorted()).toEqual(Object.keys(planted).toSorted())
    expect(preview.body.settings.map(({ key }: { key: string }) => key)).toEqual(answer.settings_undone)
    expect(gateway.gateway.settings.current()).toEqual(before)
    await gateway.stop()
    const again = await start(directory)
    expect(again.gateway.settings.current()).toEqual(before)
    const { items } = await again.client.listLogs({ query: { event: 'settings_undone' } })
    expect(items).toMatchObject([{ key_id: 'bootstrap', changed: answer.settings_undone, saved_by: [bad.key_id] }])
  })

  it('puts back what others saved before, and leaves what they saved after', async () => {
    const gateway = await start(home())
    const [good, bad] = [await makeKey(gateway), await makeKey(gateway)]
    await save(gateway, good.token, { phaxio_api_key: 'good-api-key', oauth_issuer: 'https://good.example' })
    await save(gateway, bad.token, { phaxio_api_key: 'evil', oauth_issuer: null, trusted_proxies: '10.0.0.1' })
    await save(gateway, bad.token, { phaxio_api_key: 'evil again', max_file_size_mb: 7, oauth_audience: 'evil' })
    const child = await makeKey(gateway, bad.token)
    await save(gateway, child.token, { phaxio_api_key: 'of the child' })
    await save(gateway, good.token, { oauth_audience: 'good' })
    const answer = await revoke(gateway, bad.key_id, '?issued=revoke')
    expect(answer.settings_undone.toSorted()).toEqual(['oauth_issuer', 'phaxio_api_key', 'trusted_proxies'])
    expect(gateway.gateway.settings.current()).toMatchObject({
      phaxio_api_key: 'good-api-key',
      oauth_issuer: 'https://good.example',
      oauth_audience: 'good',
      trusted_proxies: null,
      max_file_size_mb: 7,
    })
    expect(await revoke(gateway, good.key_id)).toMatchObject({ status: 'ok' })
    expect(gateway.gateway.settings.current()).toMatchObject({ phaxio_api_key: null, oauth_audience: null })
  })

  it('lets the gateway start when what it took back was what another setting needs', async () => {
    const directory = home()
    const first = await start(directory)
    const bad = await makeKey(first)
    await save(first, bad.token, { oauth_issuer: 'https://evil.example', oauth_audience: 'evil' })
    await save(first, first.key, { require_mcp_oauth: true, enable_mcp_http: true })
    await revoke(first, bad.key_id)
    await first.stop()
    const { app, key, gateway } = await start(directory)
    expect(gateway.settings.current()).toMatchObject({ require_mcp_oauth: true, oauth_issuer: null })
    const headers = { host: 'localhost', 'x-api-key': key }
    expect((await app.inject({ method: 'POST', url: '/mcp/http', headers, payload: {} })).statusCode).toBe(401)
  })

  it('is refused what it was about to save when it was revoked', async () => {
    const gateway = await start(home())
    const { settings } = gateway.gateway
    const bad = await makeKey(gateway)
    await revoke(gateway, bad.key_id)
    const saved = settings.save({ oauth_issuer: 'https://evil.example' }, bad.key_id, async () => undefined)
    await expect(saved).rejects.toMatchObject({ code: 'unauthorized' })
    expect(settings.current().oauth_issuer).toBeNull()
  })

  it('undoes nothing when a key is rotated', async () => {
    const gateway = await start(home())
    const key = await makeKey(gateway)
    await save(gateway, key.token, { phaxio_api_key: 'kept', allowed_hosts: 'fax.lan' })
    await ask(gateway, gateway.key, 'POST', `/admin/api-keys/${key.key_id}/rotate`)
    expect(gateway.gateway.settings.current()).toMatchObject({ phaxio_api_key: 'kept', allowed_hosts: 'fax.lan' })
  })

  it('takes a manifest back, and the choice of it that a restart made', async () => {
    const directory = home()
    const first = await start(directory)
    await save(first, first.key, { feature_v3_plugins: true })
    const bad = await makeKey(first)
    const manifest = (origin: string) => ({ manifest: acmeManifest(origin) })
    await ask(first, first.key, 'POST', '/admin/plugins/http/install', manifest('https://good.example'))
    await save(first, first.key, { plugin_acme_fax_token: 'good-token' })
    await ask(first, bad.token, 'POST', '/admin/plugins/http/install', manifest('https://evil.example'))
    await ask(first, bad.token, 'PUT', '/plugins/acme-fax/config', { enabled: true, settings: { token: 'evil' } })
    await first.stop()
    const gateway = await start(directory)
    expect(gateway.gateway.settings.current().outbound_backend).toBe('acme-fax')
    const answer = await revoke(gateway, bad.key_id)
    expect(answer.plugins_undone).toEqual(['acme-fax'])
    expect(gateway.gateway.settings.current()).toMatchObject({
      outbound_backend: null,
      plugin_acme_fax_token: 'good-token',
    })
  })

  it('pauses the webhooks that it made, moved, or whose secret it read, and no others', async () => {
    const gateway = await start(home())
    const bad = await makeKey(gateway)
    const events = ['fax.delivered']
    const make = async (key: string) =>
      (await ask(gateway, key, 'POST', '/admin/webhooks', { url: 'https://hook.example.org/', events })).body.id
    const [own, moved, read, fine, named] = [
      await make(bad.token),
      await make(gateway.key),
      await make(gateway.key),
      await make(gateway.key),
      await make(gateway.key),
    ]
    const url = 'https://other.example.org/'
    await gateway.client.updateWebhook({ params: { id: moved }, body: { url } })
    await ask(gateway, bad.token, 'PUT', `/admin/webhooks/${moved}`, { url })
    await ask(gateway, bad.token, 'POST', `/admin/webhooks/${read}/rotate`, {})
    await ask(gateway, bad.token, 'PUT', `/admin/webhooks/${named}`, { description: 'x' })
    const answer = await revoke(gateway, bad.key_id)
    expect(answer.webhooks_paused.toSorted()).toEqual([own, moved, read].toSorted())
    const hooks = await gateway.client.listWebhooks({})
    expect(
      hooks
        .filter(({ enabled }) => enabled)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([fine, named].toSorted())
    expect(hooks.find(({ id }) => id === own)?.disabled_reason).toContain('was revoked')
  })
}

describe('a revoked key leaves nothing that lets its holder in', () => {
  const env = { DATABASE_URL: '', HOST: '', PORT: '', FAX_DISABLED: '' }

  describe('on SQLite', () => {
    suite((directory) => startGateway({ directory, env }))

    it('lets no token of its issuer in, nor anybody without a key', async () => {
      const gateway = await startGateway()
      const issuer = await startIssuer('https://evil.example')
      const bad = await makeKey(gateway)
      await save(gateway, bad.token, {
        enable_mcp_http: true,
        oauth_issuer: issuer.url,
        oauth_audience: 'https://evil.example',
        require_api_key: false,
      })
      const token = await issuer.token()
      const listTools = async () => {
        const headers = {
          host: 'localhost',
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
        }
        const payload = {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        }
        return (await gateway.app.inject({ method: 'POST', url: '/mcp/http', headers, payload })).statusCode
      }
      const withoutKey = async () =>
        (await gateway.app.inject({ url: '/inbound', headers: { host: 'localhost' } })).statusCode
      expect([await listTools(), await withoutKey()]).toEqual([200, 200])
      await revoke(gateway, bad.key_id)
      expect([await listTools(), await withoutKey()]).toEqual([404, 401])
      await save(gateway, gateway.key, { enable_mcp_http: true })
      expect(await listTools()).toBe(401)
    })

    it('takes its lines out of faxdeck.env, and puts back those of others', async () => {
      const directory = home()
      writeFileSync(join(directory, 'faxdeck.env'), 'HOST=127.0.0.2\nPHAXIO_API_SECRET=operators-own\nNOT_OURS=1\n')
      const gateway = await startGateway({ directory, env })
      const bad = await makeKey(gateway)
      await save(gateway, bad.token, { database_url: `sqlite:${directory}/evil.db`, host: '0.0.0.0' })
      expect(linesOf(directory)).toMatchObject({ HOST: '0.0.0.0', DATABASE_URL: `sqlite:${directory}/evil.db` })
      const content =
        'OAUTH_ISSUER=https://evil.example\nPHAXIO_API_SECRET=evil-secret-of-this-key\nHOST=0.0.0.0\nINBOUND_LIST_RPM=44\n'
      expect(await ask(gateway, bad.token, 'POST', '/admin/settings/persist', { content })).toMatchObject({
        status: 200,
      })
      const answer = await revoke(gateway, bad.key_id)
      expect(answer.settings_undone.toSorted()).toEqual(['database_url', 'host', 'oauth_issuer', 'phaxio_api_secret'])
      expect(linesOf(directory)).toEqual({
        HOST: '127.0.0.2',
        PHAXIO_API_SECRET: 'operators-own',
        NOT_OURS: '1',
        INBOUND_LIST_RPM: '44',
      })
      await gateway.stop()
      const again = await startGateway({ directory, env })
      expect(again.gateway.settings.current()).toMatchObject({
        host: '127.0.0.2',
        database_url: `sqlite:${directory}/faxdeck.db`,
        oauth_issuer: null,
        phaxio_api_secret: 'operators-own',
      })
    })

    it('finds what it saved also in a file that another key wrote', async () => {
      const directory = home()
      const gateway = await startGateway({ directory, env })
      const bad = await makeKey(gateway)
      await save(gateway, gateway.key, { allowed_hosts: 'fax.lan' })
      await save(gateway, bad.token, { oauth_issuer: 'https://evil.example' })
      await ask(gateway, gateway.key, 'POST', '/admin/settings/persist', {})
      expect(linesOf(directory)).toMatchObject({ OAUTH_ISSUER: 'https://evil.example' })
      await revoke(gateway, bad.key_id)
      expect(linesOf(directory).OAUTH_ISSUER).toBeUndefined()
      expect(linesOf(directory).ALLOWED_HOSTS).toBe('fax.lan')
    })
  })

  // A whole gateway: what it asks of PostgreSQL is tried with the stores each time.
  describe.runIf(process.env.FAXDECK_LONG)('on PostgreSQL', () => {
    waitForPostgres()
    const databases = new Map<string, Promise<string>>()
    suite(async (directory) => {
      const url = databases.get(directory) ?? newPostgresDatabase()
      databases.set(directory, url)
      return startGateway({ directory, env: { ...env, DATABASE_URL: await url } })
    })
  })

  it('is tried with every row of the core that opens access', () => {
    const core = rows.filter((row) => row.opensAccess && !row.boot).map(({ key }) => key)
    expect(core.filter((key) => !Object.hasOwn(planted, key))).toEqual([])
  })
})
