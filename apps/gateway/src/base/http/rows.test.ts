import {
  exampleOf,
  liveStream,
  permissionsOf,
  type RouteName,
  type RouteRow,
  routes,
  type Scope,
  scopeFor,
  scopes,
} from '@faxdeck/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { consolePath } from './console.ts'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'

const rows = Object.entries<RouteRow>(routes) as [RouteName, RouteRow][]
const elsewhere = '203.0.113.9'

/** The calls that programs and devices make from anywhere. Every other one administers, or shows what administrators see. */
const fromAnywhere: readonly RouteName[] = [
  'health',
  'submitFax',
  'quoteFax',
  'listFaxes',
  'cancelFax',
  'resendFax',
  'printSeparator',
  'quoteSplit',
  'splitFax',
  'createBroadcast',
  'listBroadcasts',
  'getBroadcast',
  'listBroadcastRecipients',
  'exportBroadcast',
  'pauseBroadcast',
  'resumeBroadcast',
  'cancelBroadcast',
  'resendBroadcast',
  'getFax',
  'getFaxReceipt',
  'getFaxPdf',
  'getFaxDocument',
  'listReceived',
  'getReceived',
  'getReceivedDocument',
  'getLinkedReceived',
  'markReceivedRead',
  'archiveReceived',
  'quoteRequest',
  'requestFax',
  'getFaxRequest',
  'uploadDocument',
  'listInbound',
  'getInbound',
  'getInboundPdf',
  'getInboundOriginal',
  'redeemPairing',
  'listWebhookEvents',
  'listOwnWebhooks',
  'createOwnWebhook',
  'updateOwnWebhook',
  'removeOwnWebhook',
  'rotateOwnWebhookSecret',
  'testOwnWebhook',
  'listOwnWebhookDeliveries',
  'getOwnWebhookDelivery',
  'replayOwnWebhook',
  'replayOwnWebhookDelivery',
]

/** The address of a call, its example filled in. */
function urlOf(name: RouteName, { path }: RouteRow): string {
  const { params = {}, query = {} } = exampleOf(name, path)
  const filled = path.replace(/:(\w+)/g, (_, part: string) => String(params[part]))
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return search.size > 0 ? `${filled}?${search}` : filled
}

describe('every row of the contract', () => {
  let gateway: TestGateway
  beforeEach(async () => {
    // One call of each group in the minute in which the clock stands still.
    const env = { MAX_REQUESTS_PER_MINUTE: '1', MAX_READS_PER_MINUTE: '1', INBOUND_LIST_RPM: '1', INBOUND_GET_RPM: '1' }
    const started = new Date()
    gateway = await startGateway({ env, now: () => started })
  })

  async function keyOf(granted: readonly Scope[]): Promise<string> {
    return (await gateway.client.createApiKey({ body: { scopes: [...granted] } })).token
  }

  async function ask([name, row]: [RouteName, RouteRow], key: string | undefined, from = {}) {
    const { remoteAddress = '127.0.0.1', ...headers } = from as Record<string, string>
    const answer = await gateway.app.inject({
      method: row.method,
      url: urlOf(name, row),
      remoteAddress,
      headers: { host: 'localhost', ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
    })
    const isJson = /^application\/(problem\+)?json/.test(String(answer.headers['content-type']))
    const { code, detail } = isJson && answer.statusCode >= 400 ? answer.json() : { code: '', detail: '' }
    return { status: answer.statusCode, code, detail, cache: answer.headers['cache-control'] }
  }

  it('refuses a caller without a key, and one whose key lacks the scope', async () => {
    const keys = new Map<Scope, string>()
    for (const scope of scopes) {
      const others = scopes.filter((other) => other !== scope && other !== 'keys:manage')
      keys.set(scope, await keyOf(others))
    }
    for (const each of rows) {
      const [name, { permission }] = each
      if (permission === null) continue
      const scope = scopeFor(permission)
      expect(await ask(each, undefined), name).toMatchObject({ status: 401, code: 'unauthorized' })
      const refused = await ask(each, keys.get(scope))
      expect(refused, name).toMatchObject({ status: 403, code: 'forbidden', detail: expect.stringContaining(scope) })
    }
  })

  it('lets a key call what its scope names and nothing else', async () => {
    for (const scope of scopes) {
      const key = await keyOf([scope])
      for (const each of rows) {
        const [name, { permission }] = each
        if (permission === null) continue
        const { status, code } = await ask(each, key)
        const isLetIn = status !== 401 && code !== 'forbidden'
        expect([scope, name, isLetIn]).toEqual([scope, name, permissionsOf([scope]).has(permission)])
      }
    }
  })

  it('answers only this machine, unless it is for programs and devices elsewhere', async () => {
    for (const each of rows) {
      const [name] = each
      for (const from of [{ remoteAddress: elsewhere }, { 'x-forwarded-for': elsewhere }]) {
        const { code, status } = await ask(each, gateway.key, from)
        if (fromAnywhere.includes(name)) expect(code, name).not.toBe('admin_local_only')
        else expect([status, code], name).toEqual([403, 'admin_local_only'])
      }
    }
  })

  it('is stored by nobody on the way, whether it succeeds or is refused', async () => {
    for (const each of rows) {
      const [name, { method, permission }] = each
      if (permission !== null) expect(await ask(each, undefined), name).toMatchObject({ cache: 'no-store' })
      if (method === 'GET') expect(await ask(each, gateway.key), name).toMatchObject({ cache: 'no-store' })
      expect(await ask(each, gateway.key, { remoteAddress: elsewhere }), name).toMatchObject({ cache: 'no-store' })
    }
  })

  it('draws on the allowance of its group, and on no other', async () => {
    const groups = [...new Set(rows.flatMap(([, { rate }]) => rate ?? []))]
    const oneOf = (group: string) => rows.filter(([, { rate }]) => rate === group).slice(0, 1)
    for (const each of rows) {
      const [name, { rate }] = each
      if (rate === undefined) continue
      const key = await keyOf(scopes)
      for (const other of groups.filter((group) => group !== rate).flatMap(oneOf)) await ask(other, key)
      expect((await ask(each, key)).status, name).not.toBe(429)
      expect((await ask(each, key)).status, name).toBe(429)
    }
    const spent = await keyOf(scopes)
    for (const one of groups.flatMap(oneOf)) await ask(one, spent)
    for (const each of rows.filter(([, { rate }]) => rate === undefined)) {
      expect((await ask(each, spent)).status, each[0]).not.toBe(429)
    }
  })
})

describe('every address beside the contract', () => {
  it.each(['/openapi.json', '/docs/latest/', consolePath, liveStream.path])(
    '%s answers only this machine',
    async (url) => {
      const { app, key } = await startGateway()
      const headers = { host: 'localhost', 'x-api-key': key }
      const answer = await app.inject({ url, headers, remoteAddress: elsewhere })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'admin_local_only'])
    },
  )

  it('/metrics asks others for a key', async () => {
    const { app } = await startGateway()
    const answer = await app.inject({ url: '/metrics', headers: { host: 'localhost' }, remoteAddress: elsewhere })
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthorized'])
  })
})
