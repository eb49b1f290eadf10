import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../apps/gateway/src/start/listen.ts'
import { first } from '../../apps/gateway/src/start/testing/certificates.ts'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { startGateway } from '../../apps/gateway/src/testing/start-gateway.ts'
import { repositoryRoot } from '../repository.mjs'
import { findProgram } from '../find-browser.mjs'

const host = 'fax.example.org'
const shipped = (name: string) => readFileSync(join(repositoryRoot, 'packaging/proxies', name), 'utf8')

interface Place {
  folder: string
  basePath: string
  gateway: number
  http: number
  https: number
}

/** The shipped configuration with the ports and files of a test, and how the program is started. */
const proxies = {
  nginx: ({ folder, basePath, gateway, http, https }: Place) => {
    const server = shipped('nginx.conf')
      .replace('location / {', `location ${basePath}/ {`)
      .replace('127.0.0.1:8080', `127.0.0.1:${gateway}`)
      .replaceAll(/listen \[::\].*\n/g, '')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`)
      .replaceAll('/etc/letsencrypt/live/fax.example.org/', `${folder}/`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (of) => `${of}_temp_path ${folder}/${of};`,
    )
    const main = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}\n${server}}`
    writeFileSync(join(folder, 'conf'), main)
    return spawn('nginx', ['-c', join(folder, 'conf'), '-p', folder], { stdio: 'ignore', env: path })
  },
  caddy: ({ folder, basePath, gateway, http, https }: Place) => {
    const site = shipped('Caddyfile')
      .replace('reverse_proxy ', basePath === '' ? '$&' : `$&${basePath}/* `)
      .replace('127.0.0.1:8080', `127.0.0.1:${gateway}`)
      .replace(`${host} {`, `${host}:${https} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem\n\tbind 127.0.0.1`)
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\thttp_port ${http}\n}\n${site}`)
    const env = { ...path, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    return spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], { stdio: 'ignore', env })
  },
}
const path = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

/** A gateway, and the proxy in front of it as its guide says. */
async function behind(name: keyof typeof proxies, { trusted = '127.0.0.1', basePath = '' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), `faxdeck-${name}-`))
  mkdirSync(join(folder, 'logs'))
  writeFileSync(join(folder, 'fullchain.pem'), first.cert)
  writeFileSync(join(folder, 'privkey.pem'), first.key)
  const env = {
    PORT: '0',
    PUBLIC_API_URL: `https://${host}${basePath}`,
    TRUSTED_PROXIES: trusted,
    ...(basePath && { BASE_PATH: basePath }),
  }
  const { gateway, key } = await startGateway({ env })
  const address = await listen(gateway.app, gateway.settings.current())
  const place = {
    folder,
    basePath,
    gateway: Number(new URL(address).port),
    http: await reservePort(),
    https: await reservePort(),
  }
  const proxy = proxies[name](place)
  onTestFinished(async () => {
    // Caddy would wait for connections that are kept alive.
    proxy.kill('SIGKILL')
    await once(proxy, 'close')
    rmSync(folder, { recursive: true, force: true })
  })
  const call = async (
    url: string,
    options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
  ) => {
    const { method = 'GET', headers = {}, body } = options
    const to = { host: '127.0.0.1', port: place.https, path: url, method, servername: host, rejectUnauthorized: false }
    const sent = request({ ...to, headers: { host, ...headers } })
    const answered = once(sent, 'response')
    if (headers['expect']) sent.once('continue', () => sent.end(body)).flushHeaders()
    else sent.end(body)
    const [answer] = (await answered) as [IncomingMessage]
    return answer
  }
  await expect
    .poll(() =>
      call(`${basePath}/health`).then(
        ({ statusCode }) => statusCode,
        () => 'not yet',
      ),
    )
    .toBe(200)
  return { call, key, http: place.http, https: place.https }
}

/** What a program is answered that sends everything before it looks up, as most do that wait for each step. */
async function sendThenRead(port: number, { headers, body }: ReturnType<typeof upload>): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: host, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.pause()
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST /fax HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  await new Promise<void>((resolve, reject) => {
    socket.write(body, (error) => (error ? reject(error) : resolve()))
  })
  return text(socket)
}

/** A multipart upload of so many bytes. */
function upload(bytes: number, key: string) {
  const head = `--x\r\ncontent-disposition: form-data; name="to"\r\n\r\n+15555550123\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="letter.txt"\r\ncontent-type: text/plain\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'fax\n'), Buffer.from('\r\n--x--\r\n')])
  const headers = {
    'x-api-key': key,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': `${body.length}`,
  }
  return { method: 'POST', headers, body }
}

describe.each(['nginx', 'caddy'] as const)('behind %s, configured as its guide says', (name) => {
  it.skipIf(!findProgram(name))('TLS, the caller’s address, uploads and live events arrive', async () => {
    const { call, key, http } = await behind(name)
    const config = await call('/admin/config', { headers: { 'x-api-key': key } })
    expect([config.statusCode, config.headers['strict-transport-security']]).toEqual([200, 'max-age=63072000'])
    // What a caller claims about itself is not believed: this one is at 127.0.0.1, whatever it says.
    const claimed = await call('/admin/config', { headers: { 'x-api-key': key, 'x-forwarded-for': '203.0.113.7' } })
    expect(claimed.statusCode).toBe(200)

    expect((await call('/fax', upload(20_000, key))).statusCode).toBe(202)
    // As large as the gateway allows; what it holds is too long for a fax.
    const large = await call('/fax', upload(9 * 1024 * 1024, key))
    expect([large.statusCode, await text(large)]).toEqual([expect.any(Number), expect.stringContaining('pages')])
    const events = await call('/admin/events', { headers: { 'x-api-key': key, accept: 'text/event-stream' } })
    expect(events.headers['content-type']).toContain('text/event-stream')
    const arrived = once(events, 'data')
    await call('/fax', upload(10, key))
    expect(String(await arrived)).not.toBe('')
    events.destroy()

    const redirect = plainRequest({ host: '127.0.0.1', port: http, path: '/health', headers: { host } }).end()
    const [answer] = (await once(redirect, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(308)
    expect(answer.headers.location).toMatch(/^https:\/\/fax\.example\.org(:\d+)?\/health$/)
  })

  it.skipIf(!findProgram(name))('a document that is too large is refused in the gateway’s own words', async () => {
    const { call, key, https } = await behind(name)
    for (const megabytes of [12, 30]) {
      const large = upload(megabytes * 1024 * 1024, key)
      const answer = await sendThenRead(https, large)
      expect(answer).toMatch(/^HTTP\/1\.1 413 /)
      expect(answer).toContain('limit of MAX_FILE_SIZE_MB')
      const asked = await call('/fax', { ...large, headers: { ...large.headers, expect: '100-continue' } })
      expect([asked.statusCode, asked.headers['content-type'], await text(asked)]).toEqual([
        413,
        expect.stringContaining('application/problem+json'),
        expect.stringContaining('limit of MAX_FILE_SIZE_MB'),
      ])
    }
  })

  it.skipIf(!findProgram(name))(
    'a gateway under a path answers, leads on and is found there, and nowhere else',
    async () => {
      const basePath = '/tools/faxdeck'
      const { call, key } = await behind(name, { basePath })
      const headers = { 'x-api-key': key }
      expect((await call(`${basePath}/fax`, upload(20_000, key))).statusCode).toBe(202)
      const config = await call(`${basePath}/admin/config`, { headers })
      const { public_api_url: address, branding } = JSON.parse(await text(config)) as Record<string, unknown>
      expect([address, branding]).toEqual([`https://${host}${basePath}`, { docs_base: `${basePath}/docs/latest` }])
      for (const [from, to] of [
        ['/', '/admin-demo/'],
        ['/docs', '/docs/latest/'],
      ] as const) {
        const { statusCode, headers: led } = await call(basePath + from)
        expect([statusCode, led.location]).toEqual([302, basePath + to])
      }
      const guide = `${basePath}/docs/latest/install/`
      const page = await text(await call(guide))
      const links = [...page.matchAll(/ (?:href|src|action)="(?!https?:)([^"]*)"/g)].map(
        ([, link = '']) => new URL(link, `https://${host}${guide}`).pathname,
      )
      expect(links.filter((link) => !link.startsWith(`${basePath}/`))).toEqual([])
      expect(links.length).toBeGreaterThan(20)
      expect(await text(await call('/admin/config', { headers }))).not.toContain('public_api_url')
      const { callbacks } = JSON.parse(
        await text(await call(`${basePath}/admin/inbound/callbacks?backend=phaxio`, { headers })),
      ) as { callbacks: { url: string }[] }
      expect(callbacks.every(({ url }) => url.startsWith(`https://${host}${basePath}/`))).toBe(true)
    },
  )

  it.skipIf(!findProgram(name))('nobody administers while the proxy is not trusted', async () => {
    const { call, key } = await behind(name, { trusted: '192.0.2.1' })
    const refused = await call('/admin/config', { headers: { 'x-api-key': key } })
    expect([refused.statusCode, await text(refused)]).toEqual([403, expect.stringContaining('TRUSTED_PROXIES')])
  })
})
