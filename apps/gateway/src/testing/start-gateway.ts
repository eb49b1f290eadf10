import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, wireCalls } from '@faxdeck/contract'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { compose, type Gateway } from '../compose.ts'
import { writeMigrated } from './migrated-file.ts'
import { shareDocuments } from './shared-documents.ts'

/** A whole gateway without a socket: SQLite and documents in a folder of its own, faxes on the test line. */
export interface TestGateway {
  gateway: Gateway
  app: FastifyInstance
  /** Every call of the contract, as the administrator. */
  client: Client
  /** The administrator's key. */
  key: string
  directory: string
  /** Ends it as a signal would; otherwise it ends with the test. */
  stop: () => Promise<void>
}

interface Options {
  /** Beyond the test line, receiving and the key. */
  env?: Record<string, string>
  /** The clock; that of the machine when absent. */
  now?: () => Date
  /** Milliseconds that only grow; those of the machine when absent. */
  steady?: () => number
  /** The folder of an earlier gateway, to go on where it stopped. */
  directory?: string
}

const key = 'test-bootstrap-key-0123456789abcdef'

/** A `fetch` that ends in the gateway instead of the network. */
function fetchInto(app: FastifyInstance): typeof globalThis.fetch {
  return async (input, init) => {
    if (typeof input !== 'string') throw new Error('The client asks by path.')
    const request = new Request(new URL(input, 'http://127.0.0.1:8080'), init)
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined
    const { pathname, search } = new URL(request.url)
    const answer = await app.inject({
      method: request.method as 'GET',
      url: pathname + search,
      headers: { host: '127.0.0.1:8080', ...Object.fromEntries(request.headers) },
      ...(body ? { payload: body } : {}),
      remoteAddress: '127.0.0.1',
    })
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    const empty = [204, 304].includes(answer.statusCode)
    return new Response(empty ? null : answer.rawPayload, { status: answer.statusCode, headers })
  }
}

/** Every call of the contract, with any key. */
export const clientWith = (app: FastifyInstance, token: string): Client =>
  createClient(wireCalls(), { baseUrl: '', key: () => token, fetch: fetchInto(app) })

/** Starts a gateway for the test that is running. */
export async function startGateway({ env = {}, now, steady, directory }: Options = {}): Promise<TestGateway> {
  const home = directory ?? (await mkdtemp(join(tmpdir(), 'faxdeck-gateway-')))
  if (directory === undefined) {
    await writeMigrated(join(home, 'faxdeck.db'))
    // A reserve that is there is not made: hundreds of gateways would each write four megabytes.
    await writeFile(join(home, 'faxdeck.db-reserve'), '')
  }
  const gateway = await compose({
    env: {
      FAX_DATA_DIR: home,
      DATABASE_URL: `sqlite:${home}/faxdeck.db`,
      FAX_DISABLED: 'true',
      INBOUND_ENABLED: 'true',
      MAX_REQUESTS_PER_MINUTE: '0',
      TESTLINE_SECONDS: '0',
      RECONCILE_MINUTES: '0',
      FAX_TEXT: 'false',
      // Gateways share the threads for their documents, as far as these are opened alike.
      LIBREOFFICE_PROGRAM: 'off',
      API_KEY: key,
      ...env,
    },
    log: pino({ level: 'silent' }),
    onRestart: () => undefined,
    createDocuments: shareDocuments,
    ...(now ? { now } : {}),
    ...(steady ? { steady } : {}),
  })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= gateway.stop())
  onTestFinished(async () => {
    await stop()
    await rm(home, { recursive: true, force: true })
  })
  gateway.start()
  const client = clientWith(gateway.app, key)
  return { gateway, app: gateway.app, client, key, directory: home, stop }
}
