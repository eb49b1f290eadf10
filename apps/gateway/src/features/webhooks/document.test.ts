import { describe, expect, it } from 'vitest'
import { listeningGateway } from '../../testing/listening.ts'
import { startReceiver } from './testing/webhook-desk.ts'

const scopes = ['fax:read', 'inbound:list', 'inbound:read'] as const
const env = { WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32' }
const events = ['inbound.received' as const]

interface Message {
  data: { id: string; test: boolean; from?: string; to?: string; document?: { url?: string; content?: string } }
}

/** A gateway with a clock, a receiver, and what arrives there of a received fax. */
async function receiving() {
  const clock = { ms: Date.now() }
  const started = await listeningGateway({ env, now: () => new Date(clock.ms) })
  const receiver = await startReceiver()
  const receive = async (to = '+15555550100') => (await started.client.simulateInbound({ body: { to } })).id
  const next = async () => {
    await expect.poll(() => receiver.arrived.length, { timeout: 20_000 }).toBe(1)
    return (JSON.parse(receiver.arrived.shift()?.body ?? '') as Message).data
  }
  const open = (url = '') => fetch(started.address + new URL(url).pathname + new URL(url).search)
  return { ...started, clock, receiver, receive, next, open }
}

describe('a webhook about received faxes', () => {
  it('is sent what it asks for: the id, the numbers, a link, or the document', async () => {
    const { client, receiver, receive, next } = await receiving()
    const { id, inbound_content } = await client.createWebhook({ body: { url: receiver.url, events } })
    expect(inbound_content).toBe('details')
    const fax = await receive()
    expect(await next()).toMatchObject({ id: fax, test: true, to: '+15555550100', group: null })
    await client.updateWebhook({ params: { id }, body: { inbound_content: 'id' } })
    await receive()
    expect(await next()).not.toHaveProperty('to')
    await client.updateWebhook({ params: { id }, body: { inbound_content: 'document' } })
    await receive()
    const { document } = await next()
    expect(Buffer.from(document?.content ?? '', 'base64').toString('latin1')).toMatch(/^%PDF/)
    const [newest] = await client.listWebhookDeliveries({ params: { id }, query: {} })
    expect(newest?.payload, 'documents are not stored with messages').not.toContain('"document"')
  })

  it('opens the document by a link for an hour, without a key, and each time is recorded', async () => {
    const { client, clock, receiver, receive, next, open } = await receiving()
    const { id: webhook } = await client.createWebhook({
      body: { url: receiver.url, events, inbound_content: 'link' },
    })
    const id = await receive()
    const url = (await next()).document?.url ?? ''
    expect(await (await open(url)).text()).toMatch(/^%PDF/)
    const { items } = await client.listLogs({ query: { event: 'inbound_pdf_served' } })
    expect(items).toMatchObject([{ job_id: id, webhook }])
    const other = await receive()
    await next()
    expect((await open(url.replace(id, other))).status, 'it opens no other fax').toBe(403)
    expect((await open(`${url.slice(0, -2)}AA`)).status).toBe(403)
    await client.updateWebhook({ params: { id: webhook }, body: { enabled: false } })
    expect((await open(url)).status, 'a webhook that is off opens nothing').toBe(403)
    await client.updateWebhook({ params: { id: webhook }, body: { enabled: true } })
    clock.ms += 3_600_000
    expect((await open(url)).status).toBe(403)
  })

  it('of a key brings documents only if the key may read them, of the faxes it sees, while it lasts', async () => {
    const { client, program, receiver, receive, next, open } = await receiving()
    const hook = { url: receiver.url, events, inbound_content: 'link' }
    const lists = await program('by_id', ['fax:read', 'inbound:list'])
    expect((await lists.call('POST', '/webhooks', hook)).status).toBe(403)
    const limited = { received_only: { numbers: ['+15555550101'] } }
    const key = await program('by_id', [...scopes], limited)
    expect((await key.call('POST', '/webhooks', hook)).status).toBe(201)
    await receive('+15555550100')
    const id = await receive('+15555550101')
    const data = await next()
    expect(data.id).toBe(id)
    expect((await open(data.document?.url)).status).toBe(200)
    await client.revokeApiKey({ params: { id: key.keyId }, query: {} })
    expect((await open(data.document?.url)).status).toBe(403)
  })
})
