import { permissionsOf, type RouteName, type RouteRow, routes, type Scope, scopes } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { fakeCalls, fakeGateway } from '../apps/console/src/demo/fake-gateway.ts'
import { bootstrapKey, emptyWorld } from '../apps/console/src/demo/world.ts'
import { startGateway } from '../apps/gateway/src/testing/start-gateway.ts'

interface Said {
  status: number
  body: Record<string, unknown>
}
interface Sent {
  key: string | null
  json?: unknown
  form?: Record<string, string>
  file?: { name: string; content: string }
}
/** A gateway to be asked, and the key that may do everything there. */
interface Asked {
  key: string
  ask: (method: string, path: string, sent: Sent) => Promise<Said>
}

const bodyOf = async (answer: Response): Promise<Said['body']> => {
  const said = await answer.text()
  return answer.headers.get('content-type')?.includes('json') ? (JSON.parse(said) as Said['body']) : {}
}

function formOf({ form, file }: Sent): FormData | undefined {
  if (!form && !file) return undefined
  const filled = new FormData()
  for (const [name, value] of Object.entries(form ?? {})) filled.append(name, value)
  if (file) filled.append('file', new Blob([file.content], { type: 'text/plain' }), file.name)
  return filled
}

/** The gateway that tests of the console and the demo speak to. */
function openFake(): Asked {
  const gateway = fakeGateway(emptyWorld())
  const ask = async (method: string, path: string, sent: Sent) => {
    const body = formOf(sent) ?? (sent.json === undefined ? undefined : JSON.stringify(sent.json))
    const answer = gateway({ method, address: new URL(path, 'http://127.0.0.1:8080'), key: sent.key, body })
    return { status: answer.status, body: await bodyOf(answer) }
  }
  return { key: bootstrapKey, ask }
}

/** A gateway as people run it, without a socket. */
async function openReal(): Promise<Asked> {
  const { app, key } = await startGateway({ env: { MAX_REQUESTS_PER_MINUTE: '0' } })
  const ask = async (method: string, path: string, sent: Sent) => {
    const form = formOf(sent)
    const request = form && new Request('http://127.0.0.1', { method: 'POST', body: form })
    const headers = {
      host: '127.0.0.1:8080',
      ...(sent.key === null ? {} : { 'x-api-key': sent.key }),
      ...(request ? { 'content-type': request.headers.get('content-type') ?? '' } : {}),
    }
    const payload = request ? Buffer.from(await request.arrayBuffer()) : (sent.json as object | undefined)
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(payload === undefined ? {} : { payload }),
      remoteAddress: '127.0.0.1',
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    return { status: answer.statusCode, body: isJson ? answer.json<Said['body']>() : {} }
  }
  return { key, ask }
}

const opened = [
  ['the gateway of the console’s tests', async () => openFake()],
  ['the real gateway', openReal],
] as const

/** The calls that both answer. Those that end the process or stay open are left out. */
const common = (Object.keys(fakeCalls(emptyWorld())) as RouteName[]).filter((name) => name !== 'restart')
const pathOf = (row: RouteRow) => row.path.replace(/:\w+/g, '0'.repeat(32))

async function keyWith({ ask, key }: Asked, granted: readonly Scope[]): Promise<string> {
  const made = await ask('POST', '/admin/api-keys', { key, json: { name: 'test', scopes: granted } })
  expect(made.status).toBe(201)
  return String(made.body['token'])
}

/** Why a call is refused before anybody looks at what it says. */
const refusalOf = ({ status, body }: Said) =>
  status === 401 || (status === 403 && body['code'] === 'forbidden') ? String(body['code']) : 'let in'

describe.each(opened)('%s', (_name, open) => {
  it('lets a key do what its scopes name, and one with keys:manage everything', async () => {
    const asked = await open()
    const granted: readonly (readonly Scope[])[] = scopes.map((scope) => [scope])
    for (const its of granted) {
      const key = await keyWith(asked, its)
      for (const name of common) {
        const row: RouteRow = routes[name]
        const json = row.body ? {} : undefined
        const may = row.permission === null || permissionsOf(its).has(row.permission)
        const said = await asked.ask(row.method, pathOf(row), { key, json })
        expect([its[0], name, refusalOf(said)]).toEqual([its[0], name, may ? 'let in' : 'forbidden'])
      }
    }
  })

  it('lets nobody in without a key that it knows', async () => {
    const { ask } = await open()
    for (const name of common) {
      const row: RouteRow = routes[name]
      if (row.permission === null) continue
      expect([name, refusalOf(await ask(row.method, pathOf(row), { key: null }))]).toEqual([name, 'unauthorized'])
    }
    const strange = 'fdk_live_0123456789ab_0123456789abcdef0123456789abcdef'
    expect(refusalOf(await ask('GET', '/admin/config', { key: strange }))).toBe('unauthorized')
  })

  it('lets a key with keys:manage alone work in every part of the console', async () => {
    const asked = await open()
    const key = await keyWith(asked, ['keys:manage'])
    const file = { name: 'letter.txt', content: 'Dear all' }
    expect((await asked.ask('GET', '/admin/config', { key })).status).toBe(200)
    expect((await asked.ask('GET', '/inbound', { key })).status).toBe(200)
    expect((await asked.ask('POST', '/fax', { key, form: { to: '+15555550100' }, file })).status).toBe(202)
    expect((await asked.ask('GET', '/admin/fax-jobs', { key })).body['total']).toBe(1)
  })

  it('ends a key at once, for every call', async () => {
    const asked = await open()
    const key = await keyWith(asked, ['keys:manage'])
    const listed = await asked.ask('GET', '/admin/api-keys', { key })
    const [{ key_id: id }] = listed.body as unknown as [{ key_id: string }]
    const rotated = await asked.ask('POST', `/admin/api-keys/${id}/rotate`, { key: asked.key })
    expect(refusalOf(await asked.ask('GET', '/admin/api-keys', { key }))).toBe('unauthorized')
    const renewed = String(rotated.body['token'])
    expect(refusalOf(await asked.ask('GET', '/admin/api-keys', { key: renewed }))).toBe('let in')
    expect((await asked.ask('DELETE', `/admin/api-keys/${id}`, { key: asked.key })).status).toBeLessThan(300)
    expect(refusalOf(await asked.ask('GET', '/admin/api-keys', { key: renewed }))).toBe('unauthorized')
  })
})

it.each(opened)(
  '%s shows a fax that waits for its next try as under way, and lets it be canceled',
  async (_name, open) => {
    const { ask, key } = await open()
    const file = { name: 'letter.txt', content: 'Dear all' }
    const { body } = await ask('POST', '/fax', { key, form: { to: '+15555550100' }, file })
    const read = async () => (await ask('GET', `/admin/fax-jobs/${String(body['id'])}`, { key })).body
    await expect
      .poll(read, { timeout: 15_000 })
      .toMatchObject({ status: 'in_progress', error_kind: 'busy', next_try_at: expect.any(String) as unknown })
    const job = await read()
    expect(job).toMatchObject({ actions: ['cancel'], needs_attention: false, attempt_count: 1, max_attempts: 4 })
    expect((job['timeline'] as object[]).at(-1)).toMatchObject({
      event: 'retry_scheduled',
      sentence: expect.stringMatching(/^The line was busy\..* Retrying, attempt 2 of 4\.$/) as unknown,
    })
  },
)

describe('the two gateways', () => {
  const unknown = '0'.repeat(32)
  const letter = { name: 'letter.txt', content: 'Dear all' }
  const refusals: readonly (readonly [what: string, method: string, path: string, sent: Omit<Sent, 'key'>])[] = [
    ['a fax that is not there', 'GET', `/fax/${unknown}`, {}],
    ['a job that is not there', 'GET', `/admin/fax-jobs/${unknown}`, {}],
    ['a received fax that is not there', 'GET', `/inbound/${unknown}`, {}],
    ['sending again what is not there', 'POST', `/admin/fax-jobs/${unknown}/resend`, { json: {} }],
    ['what is not a number', 'POST', '/fax', { form: { to: 'reception' }, file: letter }],
    ['a page size of zero', 'GET', '/admin/fax-jobs?limit=0', {}],
    ['a status that does not exist', 'GET', '/admin/fax-jobs?status=lost', {}],
    ['a scope that does not exist', 'POST', '/admin/api-keys', { json: { scopes: ['*'] } }],
    ['a key that is not there', 'DELETE', '/admin/api-keys/000000000000', {}],
    ['a webhook that is not there', 'DELETE', `/admin/webhooks/whk_${'0'.repeat(24)}`, {}],
    ['a path that is not there', 'GET', '/admin/nothing', {}],
  ]
  it.each(refusals)('refuse %s alike', async (_what, method, path, sent) => {
    const [fake, real] = await Promise.all(
      opened.map(async ([, open]) => {
        const { ask, key } = await open()
        const { status, body } = await ask(method, path, { key, ...sent })
        return { status, code: body['code'] }
      }),
    )
    expect(real?.status).toBeGreaterThanOrEqual(400)
    expect(fake).toEqual(real)
  })
})
