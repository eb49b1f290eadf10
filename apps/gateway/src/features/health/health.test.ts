import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'
import { measureWithLimit } from '../../base/measure.ts'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const ask = ({ app }: TestGateway, url: string, headers = {}) =>
  app.inject({ url, headers: { host: 'localhost', ...headers }, remoteAddress: '127.0.0.1' })

describe('health', () => {
  it('is answered without a key', async () => {
    const gateway = await startGateway()
    expect((await ask(gateway, '/health')).json()).toEqual({ status: 'ok' })
  })

  it('is ready when database and storage work', async () => {
    const answer = await ask(await startGateway(), '/health/ready')
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        status: 'ready',
        checks: {
          db: true,
          storage: true,
          outbound: { backend: 'testline', configured: true },
          inbound: { backend: 'phaxio', enabled: true },
        },
      },
    ])
  })

  it('is not ready when documents cannot be kept', async () => {
    const gateway = await startGateway()
    const documents = join(gateway.directory, 'documents')
    rmSync(documents, { recursive: true, force: true })
    writeFileSync(documents, 'in the way')
    chmodSync(documents, 0o400)
    const answer = await ask(gateway, '/health/ready')
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ status: 'not_ready', checks: { db: true, storage: false } })
    expect(answer.headers['retry-after']).toBe('5')
  })
})

describe('the state of the gateway', () => {
  it('is healthy on the test line', async () => {
    const { client } = await startGateway()
    expect(await client.getHealthStatus({})).toMatchObject({
      backend: 'testline',
      backend_healthy: true,
      problem: null,
      jobs: { queued: 0, in_progress: 0, recent_failures: 0, attention: 0, unresolved: 0 },
      inbound_enabled: true,
      require_auth: true,
      api_keys_configured: true,
      weak_bootstrap_key: false,
    })
  })

  it('says in one sentence what a provider lacks, and never falls back to the test line', async () => {
    const { client } = await startGateway({ env: { FAX_DISABLED: 'false' } })
    const { backend, backend_healthy: healthy, problem } = await client.getHealthStatus({})
    expect([backend, healthy]).toEqual(['phaxio', false])
    expect(problem).toContain('PHAXIO_API_KEY')
    const file = new File(['hello'], 'hello.txt')
    await expect(client.submitFax({ form: { to: '+15555550123', file } })).rejects.toMatchObject({
      status: 503,
      answer: { code: 'provider_not_configured', detail: problem },
    })
  })

  it('is not healthy once the last fax was refused for its credentials, until others are set', async () => {
    const server = createServer((request, response) => {
      const good = request.headers.authorization === `Basic ${Buffer.from('key:right').toString('base64')}`
      request.resume().on('end', () => {
        response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ success: good, message: good ? 'Account status' : 'Unauthorized' }))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const account = { PHAXIO_API_KEY: 'key', PHAXIO_API_SECRET: 'old', PHAXIO_BASE_URL: `http://127.0.0.1:${port}` }
    const { client } = await startGateway({ env: { FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio', ...account } })
    expect((await client.getHealthStatus({})).backend_healthy).toBe(true)
    await client.submitFax({ form: { to: '+15555550123', file: new File(['hello'], 'hello.txt') } })
    const isHealthy = async () => (await client.getHealthStatus({})).backend_healthy
    await expect.poll(isHealthy, { timeout: 20_000 }).toBe(false)
    const status = await client.getHealthStatus({})
    expect(status.problem).toMatch(/^Phaxio has rejected our credentials since .+ UTC\. New faxes wait/)
    const { attention } = await client.getActivity({ query: {} })
    expect(attention[0]).toMatchObject({ kind: 'unhealthy', sentence: status.problem })
    await client.updateSettings({ body: { phaxio_api_secret: 'right' } })
    await expect.poll(() => client.getHealthStatus({})).toMatchObject({ backend_healthy: true, problem: null })
  })

  it('is paused, and healthy, while the provider asks for fewer faxes at a time', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '600' })
        response.end(JSON.stringify({ success: false, message: 'Too many requests' }))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const account = { PHAXIO_API_KEY: 'key', PHAXIO_API_SECRET: 'word', PHAXIO_BASE_URL: `http://127.0.0.1:${port}` }
    const { client } = await startGateway({ env: { FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio', ...account } })
    await client.submitFax({ form: { to: '+15555550123', file: new File(['hello'], 'hello.txt') } })
    await expect
      .poll(() => client.getHealthStatus({}))
      .toMatchObject({ backend_healthy: true, backend_paused: true, problem: expect.stringContaining('wait until') })
    expect((await client.getActivity({ query: {} })).attention).toEqual([])
  })

  it('is not set up with a bootstrap key that could be guessed, and says so where it runs with one already', async () => {
    const short = { API_KEY: 'short-key-of-23-letters' }
    await expect(startGateway({ env: short })).rejects.toThrow(/API_KEY has fewer than 24 characters.*openssl rand/)
    const { directory, stop } = await startGateway()
    await stop()
    const { app } = await startGateway({ directory, env: short })
    const headers = { 'x-api-key': short.API_KEY, host: 'localhost' }
    const answer = await app.inject({ url: '/admin/health-status', headers, remoteAddress: '127.0.0.1' })
    expect(answer.json()).toMatchObject({ weak_bootstrap_key: true })
    const run = await app.inject({ method: 'POST', url: '/admin/diagnostics/run', headers, remoteAddress: '127.0.0.1' })
    expect(run.json()).toMatchObject({ checks: { security: { bootstrap_key: false } } })
  })

  it('knows whether a person made a key', async () => {
    const gateway = await startGateway({ env: { API_KEY: '' } })
    const key = gateway.gateway.key.key
    const status = async () => (await ask(gateway, '/admin/health-status', { 'x-api-key': key })).json()
    expect((await status()).api_keys_configured).toBe(false)
  })

  it('reports everything that the console draws', async () => {
    const { client } = await startGateway({ env: { ENABLE_MCP_HTTP: 'true' } })
    expect(await client.getConfig({})).toMatchObject({
      version: manifest.version,
      backend: 'testline',
      test_line: true,
      hybrid: { outbound: 'testline', inbound: 'phaxio' },
      limits: { max_file_size_mb: 10 },
      mcp: { http_enabled: true, http_path: '/mcp/http', sse_enabled: false },
      v3_plugins: { enabled: false, installed: 0 },
    })
  })
})

describe('measureAtMost', () => {
  it('measures once for everybody who asks in the meantime, and again when it is time', async () => {
    const clock = { now: 0 }
    let measured = 0
    const measure = measureWithLimit(
      500,
      () => clock.now,
      async () => ++measured,
    )
    expect(await Promise.all([measure(), measure()])).toEqual([1, 1])
    clock.now = 499
    expect(await measure()).toBe(1)
    clock.now = 500
    expect(await measure()).toBe(2)
  })

  it('measures ahead for those who ask often, who are answered at once, and again when that failed', async () => {
    const clock = { now: 0 }
    const begun: PromiseWithResolvers<number>[] = []
    const measure = measureWithLimit(
      500,
      () => clock.now,
      () => {
        const next = Promise.withResolvers<number>()
        begun.push(next)
        return next.promise
      },
      250,
    )
    const first = measure()
    begun[0]?.resolve(1)
    expect(await first).toBe(1)
    clock.now = 249
    expect([measure(), begun.length]).toEqual([1, 1])
    clock.now = 250
    expect([measure(), measure(), begun.length]).toEqual([1, 1, 2])
    begun[1]?.reject(new Error('broken'))
    await turn()
    expect([measure(), begun.length]).toEqual([1, 3])
    begun[2]?.resolve(3)
    await turn()
    clock.now = 749
    expect(measure()).toBe(3)
  })

  it('does not keep a failure', async () => {
    let broken = true
    const measure = measureWithLimit(
      500,
      () => 0,
      async () => (broken ? Promise.reject(new Error('broken')) : 'fine'),
    )
    await expect(measure()).rejects.toThrow('broken')
    broken = false
    expect(await measure()).toBe('fine')
  })
})
