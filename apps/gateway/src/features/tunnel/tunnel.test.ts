import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'
import { findInterface } from './feature.ts'

/** Answers /health as the test asks. */
async function publicAddress(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Where nothing listens any more. */
async function silentAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

const pair = ({ app }: TestGateway, code: string, address = '198.51.100.7') =>
  app.inject({
    method: 'POST',
    url: '/mobile/pair',
    headers: { host: '127.0.0.1:8080' },
    payload: { code, name: 'Phone of Dr. Alvarez' },
    remoteAddress: address,
  })

describe('the tunnel', () => {
  it('is off at first, and claims nothing', async () => {
    const { client } = await startGateway()
    expect(await client.getTunnelStatus({})).toMatchObject({
      enabled: false,
      provider: 'none',
      status: 'disabled',
      public_url: null,
      local_ip: null,
      error_message: null,
    })
  })

  it('is kept as chosen, audited, and never said to be connected', async () => {
    const first = await startGateway()
    const chosen = await first.client.configureTunnel({ body: { enabled: true, provider: 'wireguard' } })
    expect(chosen).toMatchObject({ enabled: true, provider: 'wireguard' })
    expect(['error', 'connecting']).toContain(chosen.status)
    expect(chosen.error_message).toMatch(/^.+ up .+\.$/)
    const { items } = await first.client.listLogs({ query: { event: 'settings_changed' } })
    expect(items[0]).toMatchObject({ changed: ['tunnel_enabled', 'tunnel_provider'] })
    const cloud = await first.client.configureTunnel({ body: { enabled: true, provider: 'cloudflare' } })
    expect(cloud).toMatchObject({ status: 'error', public_url: null })
    expect(cloud.error_message).toContain('Cloudflare decrypts')
    await first.client.updateSettings({ body: { enforce_public_https: false } })
    expect((await first.client.getTunnelStatus({})).error_message).toContain('cannot see whether it runs')
    expect((await first.client.getSettings({})).tunnel).toEqual({ enabled: true, provider: 'cloudflare' })
  })

  it('refuses an unknown kind, and what this build would not keep', async () => {
    const { client } = await startGateway()
    for (const body of [
      { enabled: true, provider: 'ngrok' },
      { enabled: true, provider: 'tailscale', tailscale_auth_key: 'tskey' },
    ]) {
      await expect(client.configureTunnel({ body: body as never })).rejects.toMatchObject({ status: 422 })
    }
  })

  it('is tested by asking our public address', async () => {
    const { client, app } = await startGateway()
    const alive = await app.listen({ host: '127.0.0.1', port: 0 })
    await client.updateSettings({ body: { public_api_url: alive } })
    const target = `${alive.replace('http://', '')}/health`
    expect(await client.testTunnel({})).toEqual({ ok: true, message: `${alive} answers from here.`, target })
    for (const body of ['<html>', '{"status":"ok"}']) {
      await client.updateSettings({ body: { public_api_url: await publicAddress(200, body) } })
      const message = expect.stringContaining('not as this gateway') as unknown
      expect(await client.testTunnel({})).toMatchObject({ ok: false, message })
    }
    await client.updateSettings({ body: { public_api_url: await silentAddress() } })
    expect(await client.testTunnel({})).toMatchObject({
      ok: false,
      message: expect.stringContaining('nothing listens'),
    })
  })

  it('knows the interfaces of WireGuard and Tailscale by name and range', () => {
    const at = (address: string, internal = false) => [{ address, internal, family: 'IPv4' }] as never
    expect(findInterface('wireguard', { eth0: at('10.0.0.2'), wg0: at('10.8.0.2') })).toEqual({
      name: 'wg0',
      address: '10.8.0.2',
    })
    expect(findInterface('tailscale', { tailscale0: at('100.101.1.2') })?.address).toBe('100.101.1.2')
    expect(findInterface('tailscale', { utun3: at('10.9.0.1'), eth0: at('100.101.1.2') })).toBeUndefined()
    expect(findInterface('cloudflare', { wg0: at('10.8.0.2') })).toBeUndefined()
    expect(findInterface('wireguard', { wg0: at('127.0.0.1', true) })).toBeUndefined()
  })
})

describe('a pairing code', () => {
  it('gives a device one key of its own, once', async () => {
    const gateway = await startGateway()
    const { code, expires_at } = await gateway.client.pairTunnel({})
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(5 * 60_000)
    const answer = await pair(gateway, ` ${code.toLowerCase().replace('-', ' ')} `)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([201, 'no-store'])
    const key = answer.json<{ token: string; scopes: string[]; key_id: string }>()
    expect(key.scopes).toEqual(['fax:send', 'fax:read', 'inbound:list', 'inbound:read'])
    const inbox = { url: '/inbound', headers: { host: '127.0.0.1:8080', 'x-api-key': key.token } }
    expect((await gateway.app.inject(inbox)).statusCode).toBe(200)
    expect((await gateway.app.inject({ ...inbox, url: '/admin/settings' })).statusCode).toBe(403)
    expect((await pair(gateway, code)).json()).toMatchObject({ code: 'pairing_refused' })
    expect(await gateway.client.listApiKeys({})).toMatchObject([{ key_id: key.key_id, name: 'Phone of Dr. Alvarez' }])
    const { items } = await gateway.client.listLogs({ query: {} })
    expect(items.map(({ event }) => event).filter((event) => event !== 'api_key_denied_scope')).toEqual([
      'pairing_refused',
      'api_key_created',
      'pairing_code_made',
    ])
    expect(JSON.stringify(items)).not.toContain(code)
  })

  it('is worth something to one of many devices that try it at once', async () => {
    const gateway = await startGateway()
    const { code } = await gateway.client.pairTunnel({})
    const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => pair(gateway, code, `198.51.100.${n}`)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 403, 403, 403, 403])
    expect(await gateway.client.listApiKeys({})).toHaveLength(1)
  })

  it('ends when another one is made', async () => {
    const gateway = await startGateway()
    const { code: old } = await gateway.client.pairTunnel({})
    const { code } = await gateway.client.pairTunnel({})
    expect((await pair(gateway, old)).statusCode).toBe(403)
    expect((await pair(gateway, code)).statusCode).toBe(201)
  })
})
