import { connect, type AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { type SmallApp, smallApp } from '../testing/small-app.ts'

const fax = {
  id: 'a'.repeat(32),
  to: '+15555550123',
  status: 'queued',
  error: null,
  error_kind: null,
  needs_attention: false,
  held: null,
  waiting_for: null,
  next_try_at: null,
  pages: 1,
  cover: null,
  page_notes: new Array<never>(),
  codes: new Array<never>(),
  pages_confirmed: null,
  backend: 'testline',
  test: true,
  provider_sid: null,
  reference: null,
  metadata: {},
  broadcast_id: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
} as const

const open = (settings = {}): Promise<SmallApp> =>
  smallApp(
    {
      health: () => ({ status: 'ok' }),
      listApiKeys: () => [],
      getFax: () => fax,
      listInbound: () => [],
      submitFax: () => fax,
    },
    settings,
  )

const admin = '/admin/api-keys'
const ownFax = `/fax/${fax.id}`

async function codeOf(
  small: SmallApp,
  url: string,
  headers: Record<string, string | undefined> = {},
  rest: InjectOptions = {},
): Promise<string> {
  const answer = await small.ask({ ...rest, url, headers })
  return answer.statusCode < 400 ? String(answer.statusCode) : `${answer.statusCode} ${answer.json().code}`
}

describe('the Host guard', () => {
  it.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '127.8.9.1', '[::1]:8080', 'LOCALHOST', 'a.localhost'])(
    'answers to %s',
    async (host) => {
      expect(await codeOf(await open(), '/health', { host })).toBe('200')
    },
  )

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.5', 'localhost@evil.example'])(
    'refuses "%s", whatever the key',
    async (host) => {
      expect(await codeOf(await open(), '/health', { host })).toBe('403 host_refused')
      expect(await codeOf(await open(), admin, { host })).toBe('403 host_refused')
    },
  )

  it('answers to the public address and to names that were added', async () => {
    const small = await open({ public_api_url: 'https://fax.example.org/base', allowed_hosts: 'Fax.Lan, other.lan' })
    for (const host of ['fax.example.org', 'fax.example.org:443', 'fax.lan', 'other.lan:8080']) {
      expect(await codeOf(small, '/health', { host })).toBe('200')
    }
  })

  it('also guards addresses that do not exist', async () => {
    expect(await codeOf(await open(), '/nothing', { host: 'evil.example' })).toBe('403 host_refused')
  })

  it('refuses what a page of another site posts', async () => {
    const small = await open({ require_api_key: false })
    expect(await codeOf(small, '/fax', { origin: 'https://evil.example' }, { method: 'POST' })).toBe('403 host_refused')
    expect(await codeOf(small, '/health', { origin: 'null' })).toBe('403 host_refused')
    expect(await codeOf(small, '/health', { origin: 'http://localhost:8080' })).toBe('200')
  })

  it.each([
    ['http://localhost:9090', 'localhost:9090', '200'],
    ['http://localhost:9090', '127.0.0.1:9090', '200'],
    ['http://[::1]:9090', 'localhost:9090', '200'],
    ['https://localhost', 'localhost', '200'],
    ['http://fax.localhost:9090', 'fax.localhost:9090', '200'],
    ['http://localhost:3000', 'localhost:9090', '403 host_refused'],
    ['http://localhost', 'localhost:9090', '403 host_refused'],
    ['http://evil.localhost:9090', 'localhost:9090', '403 host_refused'],
    ['http://localhost:9090', 'fax.localhost:9090', '403 host_refused'],
    ['https://fax.example.org', 'fax.example.org', '200'],
    ['https://fax.example.org', 'localhost:9090', '200'],
    ['http://fax.example.org', 'fax.example.org', '403 host_refused'],
    ['https://fax.example.org:8443', 'localhost:9090', '403 host_refused'],
    ['https://fax.lan', 'localhost:9090', '200'],
    ['http://fax.lan:9090', 'fax.lan:9090', '200'],
    ['http://fax.lan:3000', 'fax.lan:9090', '403 host_refused'],
    ['chrome-extension://localhost', 'localhost', '403 host_refused'],
  ])('answers a page of %s that calls %s with %s', async (origin, host, expected) => {
    const small = await open({ public_api_url: 'https://fax.example.org', allowed_hosts: 'fax.lan' })
    expect(await codeOf(small, '/health', { origin, host })).toBe(expected)
  })

  it('wants to know one host only, however a request names it', async () => {
    const { app } = await open()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const ask = (target: string, ...hosts: string[]) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1').on('error', reject)
        socket.once('data', (answer: Buffer) => {
          socket.destroy()
          resolve(answer.toString().split(' ')[1] ?? '')
        })
        socket.write([`GET ${target} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), '', ''].join('\r\n'))
      })
    expect(await ask('/health', `localhost:${port}`)).toBe('200')
    expect(await ask('/health', 'localhost', 'localhost')).toBe('400')
    expect(await ask('/health', 'localhost', 'evil.example')).toBe('400')
    expect(await ask(`http://localhost:${port}/health`, `localhost:${port}`)).toBe('200')
    expect(await ask('http://evil.example/health', `localhost:${port}`)).toBe('403')
    expect(await ask('http://evil.example/health', 'evil.example')).toBe('403')
    await app.close()
  })
})

describe('the local guard', () => {
  it('lets nobody from elsewhere administer, even with the key', async () => {
    const small = await open()
    expect(await codeOf(small, admin, {}, { remoteAddress: '203.0.113.9' })).toBe('403 admin_local_only')
    expect(await codeOf(small, ownFax, {}, { remoteAddress: '203.0.113.9' })).toBe('200')
  })

  it('knows this machine by every loopback address', async () => {
    const small = await open()
    for (const remoteAddress of ['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1']) {
      expect(await codeOf(small, admin, {}, { remoteAddress })).toBe('200')
    }
  })

  it('lets the networks administer that are named', async () => {
    const small = await open({ admin_allowed_cidrs: '10.1.0.0/16, 2001:db8::/32' })
    expect(await codeOf(small, admin, {}, { remoteAddress: '10.1.200.3' })).toBe('200')
    expect(await codeOf(small, admin, {}, { remoteAddress: '::ffff:10.1.0.9' })).toBe('200')
    expect(await codeOf(small, admin, {}, { remoteAddress: '2001:db8::5' })).toBe('200')
    expect(await codeOf(small, admin, {}, { remoteAddress: '10.2.0.1' })).toBe('403 admin_local_only')
  })

  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'])(
    'takes a request with %s for one from elsewhere',
    async (name) => {
      expect(await codeOf(await open(), admin, { [name]: '127.0.0.1' })).toBe('403 admin_local_only')
    },
  )

  it('believes a trusted proxy, from the right end of the chain', async () => {
    const small = await open({ trusted_proxies: '127.0.0.1, 10.9.0.0/24', admin_allowed_cidrs: '10.1.0.0/16' })
    expect(await codeOf(small, admin, { 'x-forwarded-for': '10.1.0.4' })).toBe('200')
    expect(await codeOf(small, admin, { 'x-forwarded-for': '10.1.0.4:51234, 10.9.0.7' })).toBe('200')
    expect(await codeOf(small, admin, { 'x-forwarded-for': '10.1.0.4, 203.0.113.9' })).toBe('403 admin_local_only')
    expect(await codeOf(small, admin, { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' })).toBe('403 admin_local_only')
    expect(await codeOf(small, admin, { 'x-forwarded-for': 'unknown' })).toBe('403 admin_local_only')
    expect(await codeOf(small, admin, { 'x-real-ip': '10.1.0.4' })).toBe('403 admin_local_only')
  })

  it('does not believe a proxy that is not named, even from a network that may administer', async () => {
    const small = await open({ admin_allowed_cidrs: '10.1.0.0/16' })
    const proxied = { 'x-forwarded-for': '10.1.0.4' }
    expect(await codeOf(small, admin, proxied, { remoteAddress: '10.1.0.9' })).toBe('403 admin_local_only')
  })
})

describe('the key guard', () => {
  it('wants a key, in either header', async () => {
    const small = await open()
    expect(await codeOf(small, admin, { 'x-api-key': undefined })).toBe('401 unauthorized')
    expect(await codeOf(small, admin, { 'x-api-key': 'nope' })).toBe('401 unauthorized')
    expect(await codeOf(small, admin, { 'x-api-key': undefined, authorization: 'Bearer admin-key' })).toBe('200')
    expect(await codeOf(small, admin, { 'x-api-key': undefined, authorization: 'Basic admin-key' })).toBe(
      '401 unauthorized',
    )
  })

  it('tells how to authenticate', async () => {
    const answer = await (await open()).ask({ url: admin, headers: { 'x-api-key': 'nope' } })
    expect(answer.headers['www-authenticate']).toContain('Bearer')
  })

  it('answers health without a key', async () => {
    expect(await codeOf(await open(), '/health', { 'x-api-key': undefined })).toBe('200')
  })

  it('wants the scope', async () => {
    const small = await open()
    expect(await codeOf(small, ownFax, { 'x-api-key': 'sender-key' })).toBe('200')
    expect(await codeOf(small, ownFax, { 'x-api-key': 'reader-key' })).toBe('403 forbidden')
    expect(await codeOf(small, admin, { 'x-api-key': 'sender-key' })).toBe('403 forbidden')
    expect(await codeOf(small, '/inbound', { 'x-api-key': 'sender-key' })).toBe('403 forbidden')
  })

  it('records a missing scope once a minute, however often it is tried', async () => {
    const small = await open()
    for (let time = 0; time < 5; time++) await codeOf(small, admin, { 'x-api-key': 'sender-key' })
    expect(small.seen.apiKeyDeniedScope).toEqual([{ key_id: 'sender-key', required: 'keys:manage' }])
  })

  it('lets this machine fax without a key when none is required, and never administer', async () => {
    const small = await open({ require_api_key: false })
    const nobody = { 'x-api-key': undefined }
    expect(await codeOf(small, ownFax, nobody)).toBe('200')
    expect(await codeOf(small, '/inbound', nobody)).toBe('200')
    expect(await codeOf(small, admin, nobody)).toBe('401 unauthorized')
    expect(await codeOf(small, ownFax, nobody, { remoteAddress: '10.0.0.5' })).toBe('401 unauthorized')
    expect(await codeOf(small, ownFax, { ...nobody, 'x-forwarded-for': '127.0.0.1' })).toBe('401 unauthorized')
    expect(await codeOf(small, ownFax, { 'x-api-key': 'nope' })).toBe('401 unauthorized')
  })

  it('shuts an address out for a minute after ten wrong keys, but not who holds a good one', async () => {
    const small = await open()
    const wrong = { 'x-api-key': 'guess' }
    for (let time = 0; time < 10; time++) expect(await codeOf(small, admin, wrong)).toBe('401 unauthorized')
    const answer = await small.ask({ url: admin, headers: wrong })
    expect(answer.statusCode).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(await codeOf(small, admin)).toBe('200')
    expect(await codeOf(small, ownFax, wrong, { remoteAddress: '10.0.0.5' })).toBe('401 unauthorized')
    expect(small.seen.loginFailed).toHaveLength(11)
    small.clock.now += 60_000
    expect(await codeOf(small, admin, wrong)).toBe('401 unauthorized')
  })

  it('takes an IPv6 network for one sender, and records no more of many wrong keys that come at once', async () => {
    const small = await open()
    const tryFrom = (remoteAddress: string) => codeOf(small, ownFax, { 'x-api-key': 'guess' }, { remoteAddress })
    await Promise.all(Array.from({ length: 30 }, (_, n) => tryFrom(`2001:db8:0:1::${n + 1}`)))
    expect(small.seen.loginFailed).toHaveLength(10)
    expect(await tryFrom('2001:db8:0:1:ffff::1')).toBe('429 rate_limited')
    expect(await tryFrom('2001:db8:0:2::1')).toBe('401 unauthorized')
  })
})

describe('the rate guard', () => {
  it('counts per key and group, within the minute of the clock', async () => {
    const small = await open({ max_reads_per_minute: 2, inbound_list_rpm: 1 })
    const sender = { 'x-api-key': 'sender-key' }
    expect(await codeOf(small, ownFax, sender)).toBe('200')
    expect(await codeOf(small, ownFax, sender)).toBe('200')
    const answer = await small.ask({ url: ownFax, headers: sender })
    expect(answer.statusCode).toBe(429)
    expect(answer.headers['retry-after']).toBe('60')
    expect(await codeOf(small, ownFax)).toBe('200')
    expect(await codeOf(small, '/inbound')).toBe('200')
    expect(await codeOf(small, '/inbound')).toBe('429 rate_limited')
    await codeOf(small, ownFax, sender)
    expect(small.seen.rateLimited).toHaveLength(2)
    small.clock.now += 60_000
    expect(await codeOf(small, ownFax, sender)).toBe('200')
  })

  it('says in every answer what is left, also in the refusal', async () => {
    const small = await open({ max_requests_per_minute: 1, max_reads_per_minute: 2 })
    const seen = async () => {
      const { headers } = await small.ask({ url: ownFax })
      return [headers['ratelimit'], headers['ratelimit-policy'], headers['retry-after']]
    }
    const policy = '"fax_read";q=2;w=60'
    expect(await seen()).toEqual(['"fax_read";r=1;t=60', policy, undefined])
    expect(await seen()).toEqual(['"fax_read";r=0;t=60', policy, undefined])
    expect(await seen()).toEqual(['"fax_read";r=0;t=60', policy, '60'])
    const sent = await small.ask({ method: 'POST', url: '/fax', headers: { 'content-type': 'multipart/form-data' } })
    expect(sent.headers['ratelimit']).toBe('"fax_send";r=0;t=60')
  })

  it('allows ten times as many reads as faxes where reads have no limit of their own', async () => {
    const small = await open({ max_requests_per_minute: 3 })
    expect((await small.ask({ url: ownFax })).headers['ratelimit-policy']).toBe('"fax_read";q=30;w=60')
  })

  it('is off at 0, and never counts administration', async () => {
    const small = await open({ max_requests_per_minute: 0 })
    for (let time = 0; time < 70; time++) expect(await codeOf(small, ownFax)).toBe('200')
    for (let time = 0; time < 70; time++) expect(await codeOf(small, admin)).toBe('200')
  })
})

describe('an address', () => {
  it('answers another method with 405 and those it takes, and names every request', async () => {
    const small = await open()
    for (const [method, url, allow] of [
      ['DELETE', ownFax, 'GET, HEAD'],
      ['PUT', '/fax', 'POST, GET, HEAD'],
      ['POST', '/fax/events', 'GET, HEAD'],
    ] as const) {
      const answer = await small.ask({ method, url })
      expect([answer.statusCode, answer.headers['allow'], answer.json().code]).toEqual([
        405,
        allow,
        'method_not_allowed',
      ])
      expect(answer.headers['x-request-id']).toBe(answer.json().request_id)
    }
    expect((await small.ask({ method: 'DELETE', url: '/nothing' })).statusCode).toBe(404)
    expect((await small.ask({ url: '/health' })).headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/)
  })

  it('refuses a query parameter that it does not know, by name', async () => {
    const small = await open()
    for (const url of [`${ownFax}?statuss=x`, '/health?x=1', '/inbound?offset=20']) {
      const answer = await small.ask({ url })
      const name = /\?(\w+)/.exec(url)?.[1] ?? ''
      expect([answer.statusCode, answer.json().detail], url).toEqual([422, expect.stringContaining(`no "${name}"`)])
    }
  })
})
