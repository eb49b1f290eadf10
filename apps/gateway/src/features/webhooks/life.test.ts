import { type MessageEvent, webhookEvents, webhookPayloads } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { failureOf, moveOf } from '../../base/events/testing/sample-facts.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { listeningGateway } from '../../testing/listening.ts'
import { type Arrived, deskOn, start, startReceiver } from './testing/webhook-desk.ts'

const hour = 3_600_000
const day = 24 * hour
const at = (ms: number) => new Date(start + ms).toISOString()
const typeOf = ({ body }: Arrived) => (JSON.parse(body) as { type: MessageEvent }).type
const subjectOf = ({ body }: Arrived) => (JSON.parse(body) as { data: { id: string } }).data.id
const idOf = ({ headers }: Arrived) => String(headers['webhook-id'])

onSqliteFirst((open, another) => {
  describe('a try of a message', () => {
    it('is recorded with its status, its time and the first kilobyte of the answer', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      receiver.answers.push(
        { status: 500, body: 'x'.repeat(1500) + 'beyond' },
        { status: 503, body: Buffer.from([0x6e, 0x6f, 0x00, 0xff]) },
        { status: 200, body: '' },
      )
      await desk.delivered()
      for (const pause of [0, 5000, 300_000]) {
        desk.clock.ms += pause
        await desk.work()
      }
      const [message] = await desk.deliveries(id)
      const { attempts } = await desk.delivery(message?.id ?? '')
      expect(attempts.map((each) => [each.at, each.response_status, each.error])).toEqual([
        [at(0), 500, 'The endpoint answered 500.'],
        [at(5000), 503, 'The endpoint answered 503.'],
        [at(305_000), 200, null],
      ])
      expect(attempts.map((each) => each.response_body)).toEqual(['x'.repeat(1024), 'no\uFFFD\uFFFD', null])
    })

    it('has no status when nobody answers, and keeps the last 20 through replays', async () => {
      const receiver = await startReceiver()
      receiver.close()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      await desk.delivered()
      for (let n = 0; n < 24; n += 1) {
        await desk.work()
        desk.clock.ms += 10 * hour
        const [message] = await desk.deliveries(id)
        if (message?.state !== 'failed') continue
        await desk.update(id, { enabled: true })
        await desk.replay(message.id)
      }
      const [message] = await desk.deliveries(id)
      const { attempts } = await desk.delivery(message?.id ?? '')
      expect(attempts).toHaveLength(20)
      expect(attempts.at(-1)).toMatchObject({ response_status: null, response_body: null })
      expect(attempts.at(-1)?.error).toMatch(/could not be reached/)
      await desk.remove(id)
      await expect(desk.delivery(message?.id ?? '')).rejects.toMatchObject({ code: 'delivery_not_found' })
    })
  })

  describe('a webhook that fails', () => {
    it('is switched off after five days without a success, with a notice, and can be switched on again', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      const fail = async () => {
        receiver.answers.push({ status: 500 })
        await desk.delivered(`j${desk.clock.ms}`)
        await desk.work()
        return (await desk.list())[0]
      }
      expect(await fail()).toMatchObject({ enabled: true, failing_since: at(0) })
      // What waits is given up with the webhook; it is not tried meanwhile.
      desk.clock.ms += 5 * day - 1
      receiver.answers.push(...Array.from({ length: 3 }, () => ({ status: 500 })))
      expect(await fail()).toMatchObject({ enabled: true, failing_since: at(0) })
      desk.clock.ms += 1
      await fail()
      const [off] = await desk.list()
      expect(off).toMatchObject({ enabled: false, failing_since: at(0) })
      expect(off?.disabled_reason).toMatch(/failed for five days/)
      const [notice] = await desk.events.list({ event: 'webhook_stopped', limit: 5 })
      expect(notice).toMatchObject({ webhook: id, reason: 'failing' })
      expect(await desk.update(id, { enabled: true })).toMatchObject({ enabled: true, failing_since: null })
      expect(await fail()).toMatchObject({ enabled: true })
    })

    it('begins to count anew with each success', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      await desk.add(receiver.url)
      receiver.answers.push({ status: 500 })
      await desk.delivered('j1')
      await desk.work()
      desk.clock.ms += 4 * day
      await desk.work()
      expect((await desk.list())[0]).toMatchObject({ failing_since: null })
      receiver.answers.push({ status: 500 })
      desk.clock.ms += 4 * day
      await desk.delivered('j2')
      await desk.work()
      expect((await desk.list())[0]).toMatchObject({ enabled: true, failing_since: at(8 * day) })
    })
  })

  describe('a replay of everything since a time', () => {
    it('sends again under the same ids, and what was missed while the webhook was off', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      await desk.delivered('before')
      desk.clock.ms += 1000
      await desk.delivered('taken')
      receiver.answers.push({ status: 204 }, { status: 410 })
      await desk.work()
      desk.clock.ms += 1000
      await desk.delivered('missed')
      await desk.update(id, { enabled: true })
      desk.clock.ms += hour
      const first = [...receiver.arrived]
      expect(await desk.replaySince(id, at(1000))).toEqual({ since: at(1000), queued: 2, skipped: 0, next_since: null })
      await desk.work()
      const again = receiver.arrived.slice(first.length)
      expect(again.map(subjectOf).sort()).toEqual(['missed', 'taken'])
      const idsOf = (messages: Arrived[]) => messages.filter((each) => subjectOf(each) === 'taken').map(idOf)
      expect(idsOf(again)).toEqual(idsOf(first))
    })

    it('leaves out what was delivered where only failures are wanted', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      await desk.delivered('good')
      await desk.work()
      receiver.answers.push({ status: 410 })
      desk.clock.ms += 1
      await desk.delivered('bad')
      await desk.work()
      await desk.update(id, { enabled: true })
      expect(await desk.replaySince(id, at(0), 'failed')).toMatchObject({ queued: 1, skipped: 0 })
      await desk.work()
      expect(receiver.arrived.map(({ body }) => body.includes('good'))).toEqual([true, false, false])
    })

    it('sends nothing twice when the call is repeated, at once or by another process', async () => {
      const receiver = await startReceiver()
      const database = await open()
      const desk = deskOn(database)
      const { id } = await desk.add(receiver.url)
      for (const job of ['j1', 'j2', 'j3']) await desk.delivered(job)
      await desk.work()
      desk.clock.ms += hour
      const other = deskOn(await another(database), desk.clock)
      const both = await Promise.all([desk.replaySince(id, at(0)), other.replaySince(id, at(0))])
      expect(both.map(({ queued }) => queued).reduce((sum, queued) => sum + queued)).toBe(3)
      await desk.work()
      expect(await desk.replaySince(id, at(0))).toMatchObject({ queued: 0, skipped: 3 })
      await desk.work()
      expect(receiver.arrived).toHaveLength(6)
      desk.clock.ms += hour
      expect(await desk.replaySince(id, at(0))).toMatchObject({ queued: 3, skipped: 0 })
    })

    it('is at most a thousand messages a call and five a second', async () => {
      const receiver = await startReceiver()
      const desk = deskOn(await open())
      const { id } = await desk.add(receiver.url)
      await desk.update(id, { enabled: false })
      const many = Array.from({ length: 1203 }, (_, n) => ({
        ...moveOf(`j${n}`, { state: 'delivered' }),
        pages_confirmed: 1,
      }))
      await desk.events.jobUpdated(many)
      await desk.update(id, { enabled: true })
      const first = await desk.replaySince(id, at(-hour))
      expect(first).toMatchObject({ queued: 1000, next_since: at(0) })
      expect(await desk.replaySince(id, first.next_since ?? '')).toMatchObject({
        queued: 203,
        skipped: 1000,
        next_since: null,
      })
      for (let n = 0; n < 5; n += 1) await desk.work()
      // Two calls began at once, five messages each.
      expect(receiver.arrived).toHaveLength(10)
    })
  })
})

describe('a webhook that was switched off', () => {
  it('is on the dashboard and in the diagnostics until a person decides', async () => {
    const receiver = await startReceiver()
    const env = { WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32' }
    const { client } = await listeningGateway({ env })
    const body = { url: receiver.url, description: 'Patient records', events: ['fax.delivered' as const] }
    const { id } = await client.createWebhook({ body })
    receiver.answers.push({ status: 410 })
    await client.testWebhook({ params: { id } })
    await expect.poll(async () => (await client.listWebhooks({}))[0]?.enabled).toBe(false)
    const sentence =
      'The webhook “Patient records” is off. The endpoint answered 410 (gone), so no more deliveries are sent.'
    const noticed = async () =>
      (await client.getActivity({ query: {} })).attention.filter(({ kind }) => kind === 'webhook')
    expect(await noticed()).toMatchObject([{ sentence, count: 1, job_id: null }])
    const { findings } = await client.runDiagnostics({})
    const finding = findings.find(({ group, check }) => group === 'webhooks' && check === 'none_stopped')
    expect(finding).toMatchObject({ passed: false, severity: 'warning', sentence })
    await client.updateWebhook({ params: { id }, body: { enabled: true } })
    expect(await noticed()).toEqual([])
  })
})

describe('the life of a fax', () => {
  it('is told from the queue to the end, each message as its schema says', async () => {
    const receiver = await startReceiver()
    const { program, client } = await listeningGateway({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32' } })
    const own = await program('own')
    const { id: hook } = await client.createWebhook({ body: { url: receiver.url, events: [...webhookEvents] } })
    const id = await own.send({ reference: 'order-4711', metadata: '{"ward":"3B"}' })
    // The test line brings back what it was sent.
    const types = () => [...new Set(receiver.arrived.map(typeOf))].sort()
    await expect.poll(types).toEqual(['fax.delivered', 'fax.queued', 'fax.sending', 'inbound.received'])
    for (const message of receiver.arrived) {
      const schema = webhookPayloads[typeOf(message)]
      const checked = schema.extend({ data: schema.shape.data.strict() }).strict().safeParse(JSON.parse(message.body))
      expect(checked.error?.issues, message.body).toBeUndefined()
    }
    const sent = receiver.arrived.filter((each) => typeOf(each).startsWith('fax.'))
    for (const { body } of sent) expect(JSON.parse(body)).toMatchObject({ data: { id, reference: 'order-4711' } })
    const [newest] = await client.listWebhookDeliveries({ params: { id: hook }, query: {} })
    expect((await own.call('GET', `/webhook-deliveries/${newest?.id}`)).status).toBe(404)
    const described = (await own.call('GET', '/webhook-events')).text
    expect((JSON.parse(described) as { event: string }[]).map(({ event }) => event)).toEqual([
      ...webhookEvents,
      'webhook.test',
    ])
  })

  it('ends as failed when it is canceled, or fails', async () => {
    const receiver = await startReceiver()
    const { program, client, gateway } = await listeningGateway({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32' } })
    await client.createWebhook({ body: { url: receiver.url, events: ['fax.failed'] } })
    await program('own')
    await gateway.events.jobCanceled(moveOf('j1', { status: 'FAILED' }))
    await gateway.events.jobFailed(failureOf('j2', 'Busy.'))
    await expect.poll(() => receiver.arrived.length).toBe(2)
    const seen = receiver.arrived.map(({ body }) => JSON.parse(body) as { data: { id: string } })
    expect(seen.find(({ data }) => data.id === 'j1')).toMatchObject({
      type: 'fax.failed',
      version: 1,
      data: { error: 'The fax was canceled.', error_kind: 'cancelled' },
    })
    expect(seen.find(({ data }) => data.id === 'j2')).toMatchObject({ type: 'fax.failed', data: { error: 'Busy.' } })
  })
})
