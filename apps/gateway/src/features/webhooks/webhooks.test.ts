import { webcrypto } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { transact } from '../../base/db/transact.ts'
import { failureOf, moveOf } from '../../base/events/testing/sample-facts.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { webhookFault } from '../../base/outgoing/reach.ts'
import { nextTry } from './deliver.ts'
import { signedHeaders } from '../../base/outgoing/send.ts'
import { type Arrived, deskOn, leaseMs, start, startReceiver } from './testing/webhook-desk.ts'

/** As a receiver checks it, with the platform's own cryptography. */
async function isSignedWith(secret: string, { headers, body }: Arrived): Promise<boolean> {
  const raw = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const key = await webcrypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
  const signatures = String(headers['webhook-signature']).split(' ')
  const checked = signatures.map((each) =>
    webcrypto.subtle.verify('HMAC', key, Buffer.from(each.replace('v1,', ''), 'base64'), signed),
  )
  return (await Promise.all(checked)).includes(true)
}

onEachDatabase((open, another) => {
  describe('a webhook', () => {
    it('is told once, signed, without a number', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { secret, id } = await desk.add(receiver.url)
      await desk.delivered()
      await desk.events.jobFailed({
        ...failureOf('j2', 'No answer from 15555550123.'),
        backend: 'phaxio',
        kind: 'no_answer',
      })
      await desk.events.inboundReceived({
        ...{ job_id: 'in', backend: 'phaxio', status: 'received', pages: 1, sha256: null },
        ...{ from: '+15555550123', to: null },
      })
      await desk.work()
      await desk.work()
      expect(receiver.arrived).toHaveLength(2)
      for (const each of receiver.arrived) expect(await isSignedWith(secret, each)).toBe(true)
      const seen = receiver.arrived.map(({ body }) => JSON.parse(body) as unknown)
      const timestamp = new Date(start).toISOString()
      expect(seen).toContainEqual({
        type: 'fax.delivered',
        version: 1,
        timestamp,
        data: { id: 'j1', provider: 'testline', test: true, pages: 2 },
      })
      expect(seen).toContainEqual({
        type: 'fax.failed',
        version: 1,
        timestamp,
        data: { id: 'j2', provider: 'phaxio', test: false, error: 'No answer from ***.', error_kind: 'no_answer' },
      })
      const kept = await desk.deliveries(id)
      expect(kept).toHaveLength(2)
      expect(kept[0]).toMatchObject({ state: 'delivered', tries: 1, response_status: 204, error: null })
    })

    it('is not told of what was rolled back', async () => {
      const database = await open()
      const desk = deskOn(database)
      const { id } = await desk.add('http://127.0.0.1:9/')
      const undone = transact(database, async (tx) => {
        await desk.events.jobUpdated(moveOf('j1', { state: 'delivered' }), tx)
        throw new Error('rolled back')
      })
      await expect(undone).rejects.toThrow('rolled back')
      expect(await desk.deliveries(id)).toEqual([])
      expect(await desk.claim()).toEqual([])
    })

    it('is told by another process when the one at work dies', async () => {
      const receiver = await startReceiver()
      const database = await open()
      const first = deskOn(database)
      const { secret } = await first.add(receiver.url)
      await first.delivered()
      expect(await first.claim()).toHaveLength(1)
      first.clock.ms += leaseMs + 1
      await deskOn(await another(database), first.clock).work()
      expect(receiver.arrived).toHaveLength(1)
      expect(await isSignedWith(secret, receiver.arrived[0] as Arrived)).toBe(true)
    })

    it('is told again after a failure, under the same id, not before the receiver wishes', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      receiver.answers.push({ status: 500 }, { status: 503, headers: { 'retry-after': '3600' } })
      await desk.delivered()
      await desk.work()
      expect((await desk.deliveries(id))[0]).toMatchObject({
        state: 'pending',
        response_status: 500,
        error: 'The endpoint answered 500.',
        next_try_at: new Date(start + 5000).toISOString(),
      })
      desk.clock.ms += 4999
      await desk.work()
      expect(receiver.arrived).toHaveLength(1)
      desk.clock.ms += 1
      await desk.work()
      desk.clock.ms += 3_599_000
      await desk.work()
      expect(receiver.arrived).toHaveLength(2)
      desk.clock.ms += 1000
      await desk.work()
      expect(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect((await desk.deliveries(id))[0]).toMatchObject({ state: 'delivered', tries: 3 })
    })

    it('is given up after eight tries, and told again when a person asks', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      receiver.answers.push(...Array.from({ length: 8 }, () => ({ status: 302 })))
      await desk.delivered()
      for (let n = 0; n < 10; n++) {
        await desk.work()
        desk.clock.ms += 10 * 3_600_000
      }
      expect(receiver.arrived).toHaveLength(8)
      const [failed] = await desk.deliveries(id)
      expect(failed).toMatchObject({ state: 'failed', tries: 8, next_try_at: null })
      await desk.replay(failed?.id ?? '')
      await expect(desk.replay(failed?.id ?? '')).rejects.toThrow('still in progress')
      await desk.work()
      expect(receiver.arrived).toHaveLength(9)
      expect((await desk.deliveries(id))[0]).toMatchObject({ state: 'delivered', tries: 1 })
    })

    it('that answers 410 is paused, and told no more', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      receiver.answers.push({ status: 410 })
      await desk.delivered('j1')
      await desk.work()
      await desk.delivered('j2')
      await desk.work()
      expect(receiver.arrived).toHaveLength(1)
      expect((await desk.list())[0]).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('410') })
      const [delivery] = await desk.deliveries(id)
      await expect(desk.replay(delivery?.id ?? '')).rejects.toThrow('paused')
      expect((await desk.update(id, { enabled: true })).disabled_reason).toBeNull()
      await desk.delivered('j3')
      await desk.work()
      expect(receiver.arrived).toHaveLength(2)
    })

    it('hears two signatures while its secret is being changed', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const before = await desk.add(receiver.url)
      const after = await desk.rotate(before.id, 24)
      const signedBy = async () => {
        await desk.delivered()
        await desk.work()
        const last = receiver.arrived.at(-1) as Arrived
        return Promise.all([before.secret, after.secret].map((secret) => isSignedWith(secret, last)))
      }
      expect(await signedBy()).toEqual([true, true])
      desk.clock.ms += 24 * 3_600_000
      expect(await signedBy()).toEqual([false, true])
    })

    it('is sent a test, once, whatever it has chosen to hear of', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id, secret } = await desk.add(receiver.url)
      const sent = await desk.test(id)
      expect(sent).toMatchObject({ event: 'webhook.test', subject_id: id, state: 'pending', tries: 0 })
      await desk.work()
      expect(receiver.arrived[0]?.body).toBe(sent.payload)
      expect(await isSignedWith(secret, receiver.arrived[0] as Arrived)).toBe(true)
      receiver.answers.push({ status: 500 })
      await desk.test(id)
      await desk.work()
      desk.clock.ms += 24 * 3_600_000
      await desk.work()
      expect(receiver.arrived).toHaveLength(2)
      expect((await desk.deliveries(id)).map(({ state }) => state).sort()).toEqual(['delivered', 'failed'])
      await desk.update(id, { enabled: false })
      await expect(desk.test(id)).rejects.toThrow('paused')
      await expect(desk.test('0'.repeat(32))).rejects.toMatchObject({ code: 'webhook_not_found' })
    })

    it('has its messages listed newest first, by pages and by state, and the newest beside it', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      const other = await desk.add(receiver.url, { events: ['inbound.received'] })
      receiver.answers.push({ status: 410 })
      for (const job of ['j1', 'j2', 'j3']) {
        await desk.delivered(job)
        await desk.work()
        await desk.update(id, { enabled: true })
        desk.clock.ms += 1
      }
      const jobs = async (query: object) => (await desk.deliveries(id, query)).map((each) => each.subject_id)
      const [newest] = await desk.deliveries(id, { limit: 1 })
      expect(newest?.subject_id).toBe('j3')
      expect(await jobs({ cursor: newest?.cursor, limit: 1 })).toEqual(['j2'])
      expect(await jobs({ cursor: newest?.cursor })).toEqual(['j2', 'j1'])
      expect(await jobs({ state: 'failed' })).toEqual(['j1'])
      expect(await jobs({ state: ['failed', 'delivered'] })).toEqual(['j3', 'j2', 'j1'])
      expect(await jobs({ state: 'pending' })).toEqual([])
      const listed = Object.fromEntries((await desk.list()).map((each) => [each.id, each.last_delivery]))
      expect(listed).toEqual({ [id]: newest, [other.id]: null })
    })

    it('that is removed is told nothing of what was on its way', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      await desk.delivered()
      await desk.remove(id)
      await desk.work()
      expect(receiver.arrived).toEqual([])
      expect(await desk.claim()).toEqual([])
      await expect(desk.deliveries(id)).rejects.toMatchObject({ code: 'webhook_not_found' })
    })

    it('keeps its record for 30 days, and no more than the newest thousand', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      await desk.delivered('old')
      await desk.work()
      desk.clock.ms += 31 * 24 * 3_600_000
      await desk.delivered('new')
      await desk.work()
      await desk.expire()
      expect((await desk.deliveries(id)).map(({ subject_id }) => subject_id)).toEqual(['new'])
    })

    it('has its secret sealed', async () => {
      const database = await open()
      const { secret } = await deskOn(database).add('http://127.0.0.1:9/')
      const stored = await database.db.selectFrom('webhook_endpoints').select('secret').executeTakeFirstOrThrow()
      expect(stored.secret).not.toContain(secret.slice(6, 20))
    })

    it('is never reached inside, once its network is no longer named', async () => {
      const receiver = await startReceiver()
      const database = await open()
      const desk = deskOn(database)
      const { id } = await desk.add(receiver.url)
      await desk.delivered()
      await deskOn(await another(database), desk.clock, null).work()
      expect(receiver.arrived).toEqual([])
      expect((await desk.deliveries(id))[0]).toMatchObject({ state: 'pending', response_status: null })
    })
  })
})

describe('the signature', () => {
  it('is that of the example of Standard Webhooks', () => {
    const headers = signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', new Date(1_614_265_330_000), '{"test": 2432232314}', [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ])
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })
})

describe('the addresses of webhooks', () => {
  const faultOf = (url: string, allowed: string | null = null) => webhookFault(url, allowed)

  it.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.0.0.5/',
    'https://169.254.169.254/latest/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.5]/',
    'https://user:secret@hooks.example.com/',
    'http://203.0.114.9/',
  ])('cannot be %s', (url) => {
    expect(faultOf(url)).toBeTypeOf('string')
  })

  it('are public and encrypted, or inside a network that was named', () => {
    expect(faultOf('https://hooks.example.com/x')).toBeUndefined()
    expect(faultOf('http://10.0.0.5:8080/', '10.0.0.0/24')).toBeUndefined()
    expect(faultOf('http://localhost:3000/', '127.0.0.1')).toBeUndefined()
    expect(faultOf('http://10.0.1.5/', '10.0.0.0/24')).toBeTypeOf('string')
  })
})

describe('the schedule', () => {
  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h', () => {
    const now = new Date(start)
    const minutes = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => {
      const at = nextTry(tries, now, null)
      return at && (at.getTime() - start) / 60_000
    })
    expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 600, undefined])
  })

  it('heeds Retry-After as seconds and as a date, for a day at most', () => {
    const at = (retryAfter: string) => (nextTry(1, new Date(start), retryAfter)?.getTime() ?? 0) - start
    expect(at('60')).toBe(60_000)
    expect(at(new Date(start + 120_000).toUTCString())).toBe(120_000)
    expect(at('99999999')).toBe(24 * 3_600_000)
    for (const odd of ['soon', '-1', '0', 'Mon, 01 Jan 2001 00:00:00 GMT']) expect(at(odd)).toBe(5000)
  })
})

describe('a gateway with a webhook', () => {
  it('tells of a fax from end to end, and keeps every change in the audit trail', async () => {
    const receiver = await startReceiver()
    const { client } = await startGateway({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32' } })
    const { secret, id } = await client.createWebhook({
      body: { url: receiver.url, events: ['fax.delivered', 'inbound.received'] },
    })
    const file = new File(['Results'], 'letter.txt', { type: 'text/plain' })
    const fax = await client.submitFax({ form: { to: '+15555550123', file } })
    await expect.poll(() => receiver.arrived.length, { timeout: 20_000 }).toBe(2)
    const seen = receiver.arrived.map(({ body }) => JSON.parse(body) as { type: string; data: { id: string } })
    expect(seen.find(({ type }) => type === 'fax.delivered')?.data.id).toBe(fax.id)
    for (const each of receiver.arrived) {
      const isSent = each.body.includes('fax.delivered')
      expect(each.body.includes('5550123'), 'only a received fax brings its numbers').toBe(!isSent)
      expect(await isSignedWith(secret, each)).toBe(true)
    }
    await expect
      .poll(async () => (await client.listWebhookDeliveries({ params: { id }, query: {} })).map(({ state }) => state))
      .toEqual(['delivered', 'delivered'])
    await client.removeWebhook({ params: { id } })
    const { items } = await client.listLogs({ query: { q: 'webhook_' } })
    expect(items.map(({ event }) => event)).toEqual(['webhook_removed', 'webhook_created'])
    expect(JSON.stringify(await client.listWebhooks({}))).not.toContain(secret)
  })

  it('refuses an address inside, and what it does not know', async () => {
    const { client } = await startGateway()
    const body = { url: 'https://127.0.0.1/hook', events: ['fax.delivered' as const] }
    await expect(client.createWebhook({ body })).rejects.toMatchObject({ status: 422 })
    await expect(client.createWebhook({ body: { ...body, url: 'ftp://example.com' } })).rejects.toMatchObject({
      status: 422,
    })
    const params = { id: '0'.repeat(32) }
    const query = { cursor: 'anywhere' }
    await expect(client.listWebhookDeliveries({ params, query })).rejects.toMatchObject({ status: 422 })
    await expect(client.removeWebhook({ params })).rejects.toMatchObject({ status: 404 })
    await expect(client.rotateWebhookSecret({ params, body: {} })).rejects.toMatchObject({ status: 404 })
  })
})
