import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { CheckedUse, Finding, Host, Provider, ProviderSettings } from '../provider.ts'
import { madeHost } from './made-host.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

async function portOf(server: ReturnType<typeof createSocketServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** An HTTP server for this test; answers its origin. */
export async function serveHttp(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => answer(request, response, body))
  })
  onTestFinished(() => server.closeAllConnections())
  return `http://127.0.0.1:${await portOf(server)}`
}

/** A TCP server for this test; answers its port. */
export async function serveTcp(talk: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>()
  const server = createSocketServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    talk(socket)
  })
  onTestFinished(() => open.forEach((socket) => socket.destroy()))
  return portOf(server)
}

interface Surroundings {
  /** Where every request of the provider really goes. */
  origin?: string
  publicUrl?: string
  /** The line's own folder. */
  directory?: string
  signal?: AbortSignal
  use?: CheckedUse
}

/** What a provider is given, as far as checks look. */
function hostFor({ origin, publicUrl, directory }: Surroundings): Host {
  return madeHost({
    fetch: (input, init) => {
      const asked = new URL(input instanceof Request ? input.url : input)
      if (origin === undefined) return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }))
      return fetch(new URL(asked.pathname + asked.search, origin), init)
    },
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(directory === undefined ? {} : { directory }),
  })
}

/** Runs every check of a provider under its defaults and these settings; answers the findings by name. */
export async function tryChecks(
  provider: Provider,
  settings: ProviderSettings,
  surroundings: Surroundings = {},
): Promise<Record<string, Finding>> {
  const defaults = Object.fromEntries(provider.settings.map((row) => [row.key, row.default]))
  const host = hostFor(surroundings)
  const signal = surroundings.signal ?? AbortSignal.timeout(5000)
  const { use = { receiving: true } } = surroundings
  const findings = provider.checks.map(
    async (check) => [check.name, await check.run({ ...defaults, ...settings }, host, signal, use)] as const,
  )
  return Object.fromEntries(await Promise.all(findings))
}
