import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { Host, OutgoingFax } from '@faxdeck/provider-kit'
import { describeProvider, faultyFetch, sampleFax } from '@faxdeck/provider-kit/conformance'
import { describe, expect, it, onTestFinished } from 'vitest'
import { guardedFetch } from '../../../base/outgoing/guarded-fetch.ts'
import { acmeManifest, acmeSettings } from '../testing/acme.ts'
import { readManifest } from './manifest.ts'
import { providerOf } from './provider.ts'

const hostWith = (fetch: Host['fetch']): Host => ({
  fetch,
  directory: '/nowhere',
  publicUrl: 'https://fax.example.test',
  now: () => new Date(),
  report: async () => undefined,
  receive: async () => true,
  log: { info: () => undefined, warn: () => undefined },
})

const acme = providerOf(readManifest(acmeManifest(), { allowLoopback: false }))

describeProvider(acme, {
  settings: acmeSettings,
  sending: {
    lineWith: (fault, settings) => {
      const line = acme.open?.(hostWith(faultyFetch(fault)), settings)
      if (!line) throw new Error('There is no line.')
      return line
    },
  },
})

interface Seen {
  method: string
  url: string
  headers: Record<string, unknown>
  body: Buffer
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

/** The service behind a manifest, really answering over HTTP, or keeping silent. */
async function service(answer: (seen: Seen) => Answer | undefined) {
  const seen: Seen[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(chunks) }
      seen.push(one)
      const said = answer(one)
      if (!said) return
      const { status = 200, headers: more = {}, body } = said
      response.writeHead(status, { 'content-type': 'application/json', ...more })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return { origin, seen }
}

type Made = ReturnType<typeof acmeManifest>

async function lineTo(origin: string, change: (manifest: Made) => void = () => undefined, settings: object = {}) {
  const manifest = acmeManifest(origin)
  change(manifest)
  const provider = providerOf(readManifest(manifest, { allowLoopback: true }))
  const line = provider.open?.(hostWith(fetch), { plugin_acme_fax_region: 'eu', ...acmeSettings, ...settings })
  if (!line) throw new Error('There is no line.')
  return line
}

const signal = () => AbortSignal.timeout(10_000)
const taken = { data: { fax: { id: 'f-1', state: 'waiting' } } }

describe('a line of a manifest', () => {
  it('hands over the document as a part, with the credentials of its scheme', async () => {
    const { origin, seen } = await service(() => ({ body: taken }))
    const line = await lineTo(origin)
    expect(await line.send(sampleFax, signal())).toMatchObject({
      providerId: 'f-1',
      update: { state: 'in_progress', word: 'waiting' },
    })
    expect(seen[0]).toMatchObject({ method: 'POST', url: `/v1/eu/faxes?ref=${sampleFax.attemptId}` })
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer acme-secret-token', 'x-pages': '1' })
    const body = seen[0]?.body.toString() ?? ''
    expect(body).toContain(`filename="fax-${sampleFax.attemptId}.pdf"`)
    expect(body).toContain('%PDF-1.4')
    expect(body).toContain('+15551234567')
  })

  it('makes a link to the document only when it is used, and a copy only when that is', async () => {
    const { origin, seen } = await service(() => ({ body: taken }))
    const links: string[] = []
    const fax: OutgoingFax = {
      ...sampleFax,
      documentUrl: async () => {
        links.push('made')
        return 'https://fax.example.test/fax/1/pdf?token=t&x="'
      },
    }
    const line = await lineTo(origin, ({ actions: { send_fax } }) => {
      send_fax.body = { kind: 'json', template: '{"url":"{{file_url}}","pages":{{pages}},"pdf":"{{file_base64}}"}' }
    })
    await line.send(fax, signal())
    expect(JSON.parse(seen[0]?.body.toString() ?? '')).toEqual({
      url: 'https://fax.example.test/fax/1/pdf?token=t&x="',
      pages: 1,
      pdf: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64'),
    })
    await (await lineTo(origin)).send(fax, signal())
    expect(links).toEqual(['made'])
  })

  it('sends from the number of the fax, else from that of the settings', async () => {
    const { origin, seen } = await service(() => ({ body: taken }))
    const template = '{"from":"{{from}}"}'
    const change = ({ actions: { send_fax } }: Made) => (send_fax.body = { kind: 'json', template })
    const line = await lineTo(origin, change, { plugin_acme_fax_from_number: '+15550100001' })
    await line.send(sampleFax, signal())
    await line.send({ ...sampleFax, from: '+15550100002' }, signal())
    const from = seen.map(({ body }) => (JSON.parse(body.toString()) as { from: string }).from)
    expect(from).toEqual(['+15550100001', '+15550100002'])
  })

  it('keeps a hostile setting inside its segment, field and part', async () => {
    const { origin, seen } = await service(() => ({ body: taken }))
    const region = '../admin?x=1&to=+15550009999"\r\n'
    const line = await lineTo(
      origin,
      ({ actions: { send_fax } }) => {
        send_fax.url = `${origin}/{region}/faxes?r={{settings.region}}&end=1`
        send_fax.body = { kind: 'form', template: 'region={{settings.region}}&to={{to}}' }
      },
      { plugin_acme_fax_region: region },
    )
    await line.send(sampleFax, signal())
    const url = new URL(seen[0]?.url ?? '', origin)
    expect(url.pathname.split('/')).toHaveLength(3)
    expect([...url.searchParams]).toEqual([
      ['r', region],
      ['end', '1'],
    ])
    expect([...new URLSearchParams(seen[0]?.body.toString())]).toEqual([
      ['region', region],
      ['to', '+15551234567'],
    ])
  })

  it.each([
    [
      'a redirect',
      { status: 302, headers: { location: 'http://169.254.169.254/' }, body: '' },
      'uncertain',
      'redirect (302)',
    ],
    ['an answer without an id', { body: { data: {} } }, 'uncertain', 'no id at "data.fax.id"'],
    ['an answer that is no JSON', { body: '<ok/>' }, 'uncertain', 'no id at'],
    [
      'a refusal in its own words',
      { status: 422, body: { problem: { text: 'No such area code for acme-secret-token' } } },
      'rejected',
      'No such area code for ***.',
    ],
  ])('reports %s correctly, and is not led away', async (_, answer, kind, words) => {
    const { origin, seen } = await service(() => answer)
    const problem: unknown = await (await lineTo(origin)).send(sampleFax, signal()).catch((error: unknown) => error)
    expect(problem).toMatchObject({ kind, message: expect.stringContaining(words) as unknown })
    expect(seen).toHaveLength(1)
  })

  it.each(['127.0.0.1', '169.254.169.254', '10.0.0.8', '::1'])(
    'does not connect when its host name leads to %s',
    async (address) => {
      const family = address.includes(':') ? 6 : 4
      const guarded = guardedFetch({ resolve: async () => [{ address, family }] })
      onTestFinished(() => guarded.close())
      const line = acme.open?.(hostWith(guarded.fetch), { ...acmeSettings, plugin_acme_fax_region: 'eu' })
      await expect(line?.send(sampleFax, signal())).rejects.toMatchObject({
        kind: 'unreachable',
        message: expect.stringContaining('the gateway does not connect') as unknown,
      })
    },
  )

  it('takes a silence after sending for uncertain', async () => {
    const { origin } = await service(() => undefined)
    const line = await lineTo(origin, (manifest) => Object.assign(manifest, { timeout_ms: 1000 }))
    await expect(line.send(sampleFax, signal())).rejects.toMatchObject({
      kind: 'uncertain',
      message: expect.stringContaining('no answer came in time') as unknown,
    })
  })

  it.each([
    [
      { state: 'SENT', pages_sent: 2 },
      { state: 'delivered', pagesConfirmed: 2, word: 'SENT' },
    ],
    [{ state: 'engaged' }, { state: 'failed', kind: 'busy' }],
    [
      { state: 'refused', why: 'Nobody there' },
      { state: 'failed', kind: 'rejected', sentence: 'Acme Fax reports that the fax failed (refused). Nobody there.' },
    ],
    [{ state: 'success' }, { state: 'in_progress', word: 'success' }],
    [{}, { state: 'in_progress' }],
  ])('reads the state %j', async (body, update) => {
    const { origin, seen } = await service(() => ({ body }))
    expect(await (await lineTo(origin)).status?.('f/1', signal())).toMatchObject({ providerId: 'f/1', ...update })
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/v1/faxes/f%2F1' })
  })

  it('says which fax an answer is about, where it does', async () => {
    const said = { id: 'f-2', state: 'sent', to: 15551234567, ours: 'a1' }
    const { origin } = await service(({ method }) => ({ body: method === 'GET' ? said : { ...taken, ...said } }))
    const where = { to: 'to', reference: 'ours' }
    const line = await lineTo(origin, ({ actions }) => {
      Object.assign(actions.get_status.response, where)
      Object.assign(actions.send_fax.response, where)
    })
    const identity = { to: '15551234567', reference: 'a1' }
    expect(await line.status?.('f-1', signal())).toMatchObject({ providerId: 'f-2', state: 'delivered', ...identity })
    const update = { providerId: 'f-1', ...identity }
    expect(await line.send(sampleFax, signal())).toMatchObject({ providerId: 'f-1', update })
  })

  it('says when a fax is not known, and promises a cancellation only when the provider does', async () => {
    const gone = await service(() => ({ status: 404, body: {} }))
    expect(await (await lineTo(gone.origin)).status?.('f-1', signal())).toBeUndefined()
    const answers = [{ state: 'stopping' }, { state: 'stopped' }, { state: 'stopped', id: 'f-2' }]
    const { origin } = await service(() => ({ body: answers.shift() }))
    const line = await lineTo(origin)
    expect(await line.cancel?.('f-1', signal())).toBe(false)
    expect(await line.cancel?.('f-1', signal())).toBe(true)
    expect(await line.cancel?.('f-1', signal())).toBe(false)
  })
})
