import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Database } from '../../../base/db/database.ts'
import { Events } from '../../../base/events/events.ts'
import { holderOf } from '../../../base/http/callers/keys.ts'
import { moveOf } from '../../../base/events/testing/sample-facts.ts'
import type { ProviderAccess } from '../../../base/providers/access.ts'
import { createQueue } from '../../../base/queue/create-queue.ts'
import { sealsOf } from '../../../base/settings/seal.ts'
import { makeLine } from '../../../testing/made-line.ts'
import { fixedSettings, testContext } from '../../../testing/test-context.ts'
import { createWebhooks } from '../feature.ts'

export const start = Date.parse('2026-03-01T12:00:00.000Z')
export const leaseMs = 30_000
const testline = { ...makeLine({ id: 'testline' }).provider, kind: 'builtin' as const }

export interface Arrived {
  headers: IncomingHttpHeaders
  body: string
}

/** A program that takes messages; it answers what it is told to, 204 otherwise. */
export async function startReceiver() {
  const arrived: Arrived[] = []
  const answers: { status: number; headers?: Record<string, string>; body?: string | Buffer; hangs?: boolean }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      arrived.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      const { status, headers, body, hangs } = answers.shift() ?? { status: 204 }
      response.writeHead(status, headers)
      if (hangs) response.write(body ?? '')
      else response.end(body)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return { url: `http://127.0.0.1:${address.port}/hook`, arrived, answers, close }
}

const masterKey = randomBytes(32)

/** Webhooks over a database with a clock that only moves when told, and no worker of their own. */
export function deskOn(database: Database, clock = { ms: start }, allowed: string | null = '127.0.0.0/8') {
  const now = () => new Date(clock.ms)
  const queue = createQueue({ database, now, leaseMs })
  const events = new Events(database, now)
  const seals = sealsOf(masterKey)
  const settings = fixedSettings({ webhook_allowed_cidrs: allowed }, { seals })
  const find = (id: string) => (id === 'testline' ? testline : undefined)
  const providers = { find } as unknown as ProviderAccess
  const webhooks = createWebhooks(testContext({ database, queue, events, providers, now, settings }))
  onTestFinished(() => webhooks.close())
  const given = (parts: object) =>
    ({ params: {}, caller: holderOf('admin', new Set(['keys:manage'])), ...parts }) as never
  const { routes: handlers } = webhooks
  const claim = async () => {
    const lanes = (await queue.due()).lanes
    return (await Promise.all(lanes.map((lane) => queue.claim(lane, 4, 10)))).flatMap(({ claims }) => claims)
  }
  return {
    clock,
    events,
    queue,
    claim,
    expire: webhooks.expire,
    add: (url: string, more: object = {}) =>
      handlers.createWebhook(given({ body: { url, events: ['fax.delivered', 'fax.failed'], ...more } })),
    update: (id: string, body: object) => handlers.updateWebhook(given({ params: { id }, body })),
    remove: (id: string) => handlers.removeWebhook(given({ params: { id } })),
    rotate: (id: string, keep_hours: number) =>
      handlers.rotateWebhookSecret(given({ params: { id }, body: { keep_hours } })),
    list: async () => handlers.listWebhooks(given({})),
    deliveries: async (id: string, query: object = {}) =>
      handlers.listWebhookDeliveries(given({ params: { id }, query: { limit: 50, ...query } })),
    test: async (id: string) => handlers.testWebhook(given({ params: { id } })),
    delivery: async (id: string) => handlers.getWebhookDelivery(given({ params: { id } })),
    replaySince: async (id: string, since: string, messages = 'all') =>
      handlers.replayWebhook(given({ params: { id }, body: { since, messages } })),
    replay: (id: string) => handlers.replayWebhookDelivery(given({ params: { id } })),
    delivered: (job = 'j1') => events.jobUpdated({ ...moveOf(job, { state: 'delivered' }), pages_confirmed: 2 }),
    /** Does all that is due now. */
    work: async () => {
      for (const each of await claim()) await webhooks.work.webhook(each, new AbortController().signal)
    },
  }
}
