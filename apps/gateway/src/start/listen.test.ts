import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { Agent, get as getSecurely } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../testing/start-gateway.ts'
import { followCertificate } from './certificate.ts'
import { listen, urlOf } from './listen.ts'
import { first, second } from './testing/certificates.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'faxdeck-listen-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** What a gateway answers at its UNIX socket. */
async function ask(socketPath: string, path: string, headers: Record<string, string> = {}) {
  const [answer] = (await once(get({ socketPath, path, headers: { host: 'localhost', ...headers } }), 'response')) as [
    IncomingMessage,
  ]
  return { status: answer.statusCode, body: await text(answer) }
}

async function onSocket(path: string) {
  const { gateway, key } = await startGateway({ env: { UNIX_SOCKET: path } })
  return { address: await listen(gateway.app, gateway.settings.current()), key }
}

describe('a UNIX socket', () => {
  it('answers those of its group, and believes the proxy at its other end about the caller', async () => {
    const path = join(folder(), 'http.sock')
    const { address, key } = await onSocket(path)
    expect(address).toBe(`unix:${path}`)
    expect(statSync(path).mode & 0o777).toBe(0o660)
    expect(await ask(path, '/health')).toMatchObject({ status: 200 })
    const config = (forwarded: Record<string, string>) => ask(path, '/admin/config', { 'x-api-key': key, ...forwarded })
    expect(await config({ 'x-forwarded-for': '127.0.0.1' })).toMatchObject({ status: 200 })
    expect(await config({ 'x-forwarded-for': '127.0.0.1, 203.0.113.7' })).toMatchObject({ status: 403 })
    // Nobody says whose request it is: not this machine's.
    expect(await config({})).toMatchObject({ status: 403 })
  })

  it('takes the place of one that was left behind, but not of one that is answered or of another file', async () => {
    const place = folder()
    const path = join(place, 'http.sock')
    const holder = createServer().listen(path)
    await once(holder, 'listening')
    await expect(onSocket(path)).rejects.toThrow(/UNIX_SOCKET .* is taken/)
    expect(existsSync(path)).toBe(true)
    holder.close()

    const killed = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen('${path}', () => console.log('up'))`,
    ])
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    await once(killed, 'close')
    expect(statSync(path).isSocket()).toBe(true)
    await onSocket(path)
    expect(await ask(path, '/health')).toMatchObject({ status: 200 })

    const file = join(place, 'letter.txt')
    writeFileSync(file, 'kept')
    await expect(onSocket(file)).rejects.toThrow(/UNIX_SOCKET .* is taken/)
    expect(statSync(file).size).toBe(4)
    await expect(onSocket(join(place, 'nowhere', 'http.sock'))).rejects.toThrow(/UNIX_SOCKET .* cannot be made/)
  })
})

/** The name in the certificate that is shown to a new connection. */
async function shownBy(port: number, host: string): Promise<string> {
  const socket = connect({ port, host, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { CN = '' } = socket.getPeerCertificate().subject
  socket.destroy()
  return String(CN)
}

describe('TLS', () => {
  const write = (place: string, { cert, key }: { cert: string; key: string }) => {
    const env = { TLS_CERT: join(place, 'cert.pem'), TLS_KEY: join(place, 'key.pem') }
    writeFileSync(env.TLS_CERT, cert)
    writeFileSync(env.TLS_KEY, key)
    return env
  }

  it.each(['127.0.0.1', '::1'])('is spoken at %s, and renewed while a connection stays open', async (host) => {
    const place = folder()
    const env = write(place, first)
    const { gateway } = await startGateway({ env: { ...env, HOST: host, PORT: '0' } })
    const { app, settings } = gateway
    const address = await listen(app, settings.current())
    expect(address).toMatch(/^https:/)
    expect(urlOf(app.server, app.server.address() as AddressInfo)).toBe(address)
    const port = Number(new URL(address).port)
    const logged: string[] = []
    const log = pino({ level: 'info' }, { write: (line) => void logged.push(line) })
    onTestFinished(followCertificate(app.server, settings.current(), { log, everyMs: 20 }))

    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: first.cert })
    onTestFinished(() => agent.destroy())
    const health = async () => {
      const [answer] = (await once(getSecurely({ host, port, path: '/health', agent }), 'response')) as [
        IncomingMessage,
      ]
      return { socket: answer.socket.localPort, body: await text(answer) }
    }
    const before = await health()
    expect(before.body).toContain('ok')
    expect(await shownBy(port, host)).toBe('first.faxdeck.test')

    // The certificate is there before its key: neither is used, and the log says so once.
    write(place, { cert: second.cert, key: first.key })
    await expect.poll(() => logged.join('')).toContain('The old one stays in use.')
    expect(await shownBy(port, host)).toBe('first.faxdeck.test')
    write(place, second)
    await expect.poll(() => shownBy(port, host)).toBe('second.faxdeck.test')
    expect(logged.filter((line) => line.includes('cannot be used'))).toHaveLength(1)
    expect(await health()).toEqual(before)
  })

  it.each([
    ['the key of another certificate', { cert: first.cert, key: second.key }],
    ['no certificate', { cert: 'Dear Sir or Madam', key: first.key }],
  ])('is refused at the start with %s', async (_, pair) => {
    const env = write(folder(), pair)
    await expect(startGateway({ env })).rejects.toThrow(/TLS_CERT .* cannot be used/)
  })

  it('is refused at the start with half of it', async () => {
    await expect(startGateway({ env: { TLS_CERT: '/etc/cert.pem' } })).rejects.toThrow(
      'TLS_CERT and TLS_KEY belong together',
    )
  })
})

describe('sockets that a supervisor hands over', () => {
  it('are one for this very process, or none', async () => {
    const { gateway } = await startGateway()
    const place = { ...gateway.settings.current(), port: 0 }
    const handed = { LISTEN_PID: `${process.pid}`, LISTEN_FDS: '2' }
    await expect(listen(gateway.app, place, handed)).rejects.toThrow('2 sockets were handed over')
    // Those of another process, which started this one, are none of its business.
    expect(await listen(gateway.app, place, { ...handed, LISTEN_PID: '1' })).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('are named without TLS where the gateway speaks none', async () => {
    const { gateway } = await startGateway()
    const address = await listen(gateway.app, { ...gateway.settings.current(), port: 0 })
    expect(urlOf(gateway.app.server, gateway.app.server.address() as AddressInfo)).toBe(address)
  })
})
