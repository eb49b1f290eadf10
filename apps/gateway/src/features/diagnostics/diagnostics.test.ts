import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

/** Answers as Sinch does, to one access key; remembers who asked. */
async function sinch() {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization)
    const good = request.headers.authorization === `Basic ${Buffer.from('id:right').toString('base64')}`
    response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' }).end(good ? '{"services":[]}' : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3` }
}

const throughSinch = (url: string, secret = 'right') => ({
  FAX_DISABLED: 'false',
  FAX_BACKEND: 'sinch',
  SINCH_PROJECT_ID: 'p-1',
  SINCH_API_KEY: 'id',
  SINCH_API_SECRET: secret,
  SINCH_BASE_URL: url,
})

describe('the diagnostics', () => {
  it('find a fresh gateway on the test line healthy', async () => {
    const { client, directory } = await startGateway()
    const result = await client.runDiagnostics({})
    expect(result).toMatchObject({
      backend: 'testline',
      summary: { healthy: true, critical_issues: [] },
      checks: {
        testline: { memory_writable: true, can_send: true },
        system: {
          fax_data_dir: true,
          fax_data_writable: true,
          database_connected: true,
          disk_space: true,
          clock: true,
        },
        storage: { type: 'local', accessible: true, documents_kept: true },
        security: {
          audit_trail_intact: true,
          enforce_https: true,
          audit_logging: false,
          rate_limiting: false,
          pdf_token_ttl: 60,
        },
        inbound: { enabled: true, requires_ami: false, needs_storage: true, inbound_verification: 'hmac' },
        pages: { header_line_printable: true },
        queue: { oldest_age: true, depth: '0 queued, 0 in progress, 0 waiting' },
        callbacks: { public_url_reachable: true },
      },
    })
    expect(result.checks.phaxio).toBeUndefined()
    expect(result.checks.system?.ghostscript).toMatch(/not needed$/)
    expect((await readdir(directory)).filter((name) => name.startsWith('diag_'))).toEqual([])
  })

  it('say of every failed check what is wrong and which setting to go to', async () => {
    const { client } = await startGateway({ env: { FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio' } })
    const { summary, findings, checks } = await client.runDiagnostics({})
    expect(summary.healthy).toBe(false)
    expect(summary.critical_issues).toContain(
      'The Phaxio API key is not set: copy it from the Phaxio console, API Credentials.',
    )
    expect(checks.phaxio).toMatchObject({ api_key_set: false, auth: false, callback_url_set: false })
    expect(checks.inbound?.signature_verification).toBe(false)
    const failed = findings.filter(({ passed }) => !passed)
    expect(failed.length).toBeGreaterThan(5)
    for (const { sentence } of failed) expect(sentence).toMatch(/^\S.*\.$/)
    const keys = new Set((await client.describeSettings({})).rows.map(({ key }) => key))
    expect(findings.flatMap(({ setting }) => (setting === null || keys.has(setting) ? [] : [setting]))).toEqual([])
    // What could not be tried for want of a key is no issue beside the missing key.
    expect(findings.find(({ check }) => check === 'auth')).toMatchObject({ passed: false, severity: 'info' })
  })

  it('warn, and stay healthy, while the test line carries every fax although a provider is set up', async () => {
    const account = { PHAXIO_API_KEY: 'k', PHAXIO_API_SECRET: 's', PHAXIO_BASE_URL: 'http://127.0.0.1:1/v2.1' }
    const env = { FAX_DISABLED: 'true', FAX_BACKEND: 'phaxio', INBOUND_ENABLED: 'false', ...account }
    const { client } = await startGateway({ env })
    const { summary, findings } = await client.runDiagnostics({})
    const { sentence, setting } = findings.find(({ check }) => check === 'no_provider_bypassed') ?? {}
    expect([setting, summary.healthy]).toEqual(['fax_disabled', true])
    expect(sentence).toContain('Phaxio is set up but not in use.')
    expect(summary.warnings).toContain(sentence)
    expect(await client.getHealthStatus({})).toMatchObject({ backend_healthy: true, problem: null })
    expect((await client.getActivity({ query: {} })).attention).toEqual([])
    expect((await client.getConfig({})).test_line_bypasses).toBe('Phaxio')
  })

  it('name characters of the header line that no font has a shape for, while the line is on', async () => {
    const sender = 'Praxis \u{10FFFD}Müller'
    const look = async (env: Record<string, string>) => {
      const { client } = await startGateway({ env: { FAX_HEADER: sender, ...env } })
      const { findings } = await client.runDiagnostics({})
      return findings.find(({ check }) => check === 'header_line_printable')
    }
    expect(await look({})).toMatchObject({
      passed: false,
      severity: 'warning',
      detail: '\u{10FFFD} (U+10FFFD).',
      setting: 'fax_header',
    })
    expect(await look({ FAX_HEADER: 'Praxis Müller' })).toMatchObject({ passed: true })
    expect(await look({ FAX_HEADER_LINE: 'false' })).toMatchObject({ passed: true, detail: 'no header line' })
  })

  it('warn of faxes that name no sender, where they are really sent', async () => {
    const look = async (env: Record<string, string>) => {
      const { client } = await startGateway({ env: { ...throughSinch('http://127.0.0.1:9', 'secret'), ...env } })
      const { findings } = await client.runDiagnostics({})
      const { sender_missing: missing } = await client.getConfig({})
      return { ...findings.find(({ check }) => check === 'sender_named'), missing }
    }
    const named = { passed: true, missing: [] }
    const unnamed = { passed: false, severity: 'warning', setting: 'fax_header', missing: ['name', 'number'] }
    expect(await look({})).toMatchObject(unnamed)
    expect(await look({ FAX_HEADER_NUMBER: '+15555550100' })).toMatchObject({ passed: false, missing: ['name'] })
    expect(await look({ FAX_HEADER: 'Example Clinic' })).toMatchObject(named)
    expect(await look({ FAX_HEADER_LINE: 'false' })).toMatchObject(named)
  })

  it('ask the provider that carries faxes, and keep its credentials to themselves', async () => {
    const { url } = await sinch()
    const { client } = await startGateway({ env: throughSinch(url, 'wr0ng-secret') })
    const result = await client.runDiagnostics({})
    expect(result.checks.sinch).toMatchObject({ auth_present: true, auth: false, auth_valid: false })
    expect(result.findings.find(({ check }) => check === 'auth')).toMatchObject({
      severity: 'critical',
      detail: 'Sinch refused the credentials (401).',
      setting: 'sinch_api_key',
    })
    expect(JSON.stringify(result)).not.toContain('wr0ng-secret')
  })

  it('look once for everybody who asks at the same time', async () => {
    const { url, asked } = await sinch()
    const { client } = await startGateway({ env: throughSinch(url) })
    const results = await Promise.all([client.runDiagnostics({}), client.runDiagnostics({}), client.runDiagnostics({})])
    expect(new Set(results.map(({ timestamp }) => timestamp)).size).toBe(1)
    expect(asked).toHaveLength(2)
  })

  it('show that receiving is off without making an issue of it', async () => {
    const { client } = await startGateway({ env: { INBOUND_ENABLED: 'false' } })
    const { checks, findings, summary } = await client.runDiagnostics({})
    expect(checks.inbound?.enabled).toBe(false)
    const off = findings.find(({ group, check }) => group === 'inbound' && check === 'enabled')
    expect(off).toMatchObject({ passed: false, severity: 'info', setting: 'inbound_enabled' })
    expect([...summary.critical_issues, ...summary.warnings]).not.toContain(off?.sentence)
  })
})

describe('trying settings', () => {
  it('asks the provider with the values given over those stored, and saves nothing', async () => {
    const { url, asked } = await sinch()
    const { client } = await startGateway({ env: throughSinch(url, 'wrong') })
    const result = await client.validateSettings({ body: { backend: 'sinch', sinch_api_secret: 'right' } })
    expect(result).toMatchObject({ backend: 'sinch', checks: { auth_present: true, auth: true, auth_valid: true } })
    expect(result.error).toBeUndefined()
    expect(asked).toHaveLength(2)
    expect((await client.runDiagnostics({})).checks.sinch?.auth).toBe(false)
    const { items } = await client.listLogs({ query: { event: 'settings_validated' } })
    expect(items).toEqual([expect.objectContaining({ key_id: 'bootstrap', backend: 'sinch' })])
  })

  it('falls back to what is stored where the form says nothing: blank, masked or cleared', async () => {
    const { url } = await sinch()
    const { client } = await startGateway({ env: throughSinch(url) })
    const body = { sinch_project_id: '', sinch_api_key: null, sinch_api_secret: '***' }
    const { checks } = await client.validateSettings({ body })
    expect(checks).toMatchObject({ project_id_set: true, api_key_set: true, auth: true, auth_valid: true })
  })

  it('answers with true and false alone, and says why', async () => {
    const { url } = await sinch()
    const { client } = await startGateway({ env: throughSinch(url, 'wrong') })
    const { checks, error } = await client.validateSettings({ body: { backend: 'sinch' } })
    expect(Object.values(checks).every((value) => typeof value === 'boolean')).toBe(true)
    expect(checks.auth).toBe(false)
    expect(error).toBe('Sinch refused the credentials (401).')
  })

  it('tries a provider that is not in use', async () => {
    const { client } = await startGateway()
    const body = { backend: 'sip', ami_host: '127.0.0.1', ami_port: 1, ami_password: 'changeme' }
    expect(await client.validateSettings({ body })).toMatchObject({
      backend: 'sip',
      checks: { ami_host_set: true, ami_password_not_default: false, ami_reachable: false },
      error: 'Asterisk cannot be reached at 127.0.0.1 port 1: nothing listens there.',
    })
  })

  it('tries the bucket that documents are to go to', async () => {
    const { client } = await startGateway()
    const body = { storage_backend: 's3', s3_bucket: 'faxes', s3_endpoint_url: 'http://127.0.0.1:9' }
    const { checks, error } = await client.validateSettings({ body })
    expect(checks).toMatchObject({ accessible: false, bucket_set: true, kms_enabled: false })
    expect(error).toMatch(/no credentials for S3|S3 cannot be reached at 127.0.0.1:9: nothing listens there/)
    expect((await client.validateSettings({ body: {} })).checks).not.toHaveProperty('accessible')
  })

  it.each([
    [{ backend: 'carrier-pigeon' }, /backend: It must be one of/],
    [{ ami_port: 'many' }, /ami_port: It must be a whole number/],
    [{ no_such_setting: 'x' }, /no_such_setting: There is no such setting/],
  ])('refuses %j with the field', async (body, sentence) => {
    const { client } = await startGateway()
    await expect(client.validateSettings({ body })).rejects.toMatchObject({
      status: 422,
      answer: { detail: expect.stringMatching(sentence) },
    })
  })

  it('is for administrators', async () => {
    const { app } = await startGateway()
    const headers = { host: '127.0.0.1:8080', 'content-type': 'application/json' }
    for (const url of ['/admin/settings/validate', '/admin/diagnostics/run']) {
      const answer = await app.inject({ method: 'POST', url, headers, payload: '{}', remoteAddress: '127.0.0.1' })
      expect(answer.statusCode).toBe(401)
    }
  })
})
