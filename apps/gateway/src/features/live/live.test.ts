import { liveMessage, type LiveMessage } from '@faxdeck/contract'
import Fastify from 'fastify'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { Events } from '../../base/events/events.ts'
import { moveOf } from '../../base/events/testing/sample-facts.ts'
import { type Actor, holderOf } from '../../base/http/callers/keys.ts'
import type { Guards } from '../../base/http/callers/guards.ts'
import { signedIn } from '../../testing/browser.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { createTrail } from '../../base/events/trail.ts'
import { createChanges, type LiveReader } from './changes.ts'
import { serveLive } from './feature.ts'

const log = pino({ level: 'silent' })
/** Carries nothing along but the ids that were asked for. */
const carried = { health: { marker: 'health' } }
const reader = {
  jobs: async (ids: readonly string[]) => ids.map((id) => ({ id })),
  health: () => carried.health,
} as unknown as LiveReader

/** The text of a stream as it comes; `until` waits for what is written. */
function readStream(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader?.cancel().catch(() => undefined))
  let text = ''
  return {
    until: async (wanted: RegExp) => {
      while (!wanted.test(text)) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) throw new Error(`The stream ended after: ${text}`)
        text += value
      }
      return text
    },
    toEnd: async () => {
      while (!(await reader?.read())?.done);
    },
    messages: () => [...text.matchAll(/^event: change\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(String(data))),
  }
}

async function listening() {
  const started = await startGateway()
  const address = await started.app.listen({ host: '127.0.0.1', port: 0 })
  const open = (key: string) => fetch(`${address}/admin/events`, { headers: { 'x-api-key': key } })
  return { ...started, address, open }
}

describe('GET /admin/events', () => {
  it('tells of a fax that was sent and then delivered, without its number', async () => {
    const { open, client, key } = await listening()
    const response = await open(key)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const stream = readStream(response)
    await stream.until(/^: open/)
    const file = new File(['Results'], 'letter.txt', { type: 'text/plain' })
    const { id } = await client.submitFax({ form: { to: '+15555550123', file } })
    const text = await stream.until(new RegExp(`"jobs".*${id}`))
    expect(text).not.toContain('5550123')
    for (const message of stream.messages()) liveMessage.parse(message)
    // The test line delivers to our own inbox.
    await stream.until(/"inbound"/)
  })

  it('tells of settings that were changed', async () => {
    const { open, client, key } = await listening()
    const stream = readStream(await open(key))
    await stream.until(/^: open/)
    await client.updateSettings({ body: { max_file_size_mb: 11 } })
    await stream.until(/"settings"/)
  })

  it('tells of faxes that assistants ask for', async () => {
    const { open, client, key } = await listening()
    await client.updateSettings({ body: { require_mcp_approval: true } })
    const stream = readStream(await open(key))
    await stream.until(/^: open/)
    await client.requestFax({ form: { to: '+15555550123', file: new File(['A letter.'], 'a.txt') } })
    await stream.until(/"approvals"/)
  })

  it('has room for everybody else when one person has opened all they may', async () => {
    const started = await listening()
    const { address, open, key } = started
    const { browser } = await signedIn(started, 'sender')
    const headers = { cookie: browser.cookie ?? '', 'sec-fetch-site': 'same-origin' }
    const statuses: number[] = []
    for (let n = 0; n < 64; n++) {
      const response = await fetch(`${address}/admin/events`, { headers })
      onTestFinished(() => response.body?.cancel().catch(() => undefined))
      statuses.push(response.status)
    }
    expect(statuses).toEqual([...Array(16).fill(200), ...Array(48).fill(503)])
    const stream = readStream(await open(key))
    await stream.until(/^: open/)
  })

  it('is for keys that administer', async () => {
    const { open, client } = await listening()
    const { token } = await client.createApiKey({ body: { scopes: ['fax:read'] } })
    expect((await open(token)).status).toBe(403)
    expect((await open('wrong')).status).toBe(401)
  })

  it.each(['revokeApiKey', 'rotateApiKey'] as const)('ends at once with its key: %s', async (end) => {
    const { open, client } = await listening()
    const { token, key_id: id } = await client.createApiKey({ body: { scopes: ['keys:manage'] } })
    const stream = readStream(await open(token))
    await stream.until(/^: open/)
    await client[end]({ params: { id }, query: {} })
    await stream.toEnd()
  })

  it('ends when the cookie that it came with was replaced, and its session goes on', async () => {
    const clock = { ms: Date.now() }
    const started = await startGateway({ now: () => new Date(clock.ms) })
    const { app, client } = started
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const { browser } = await signedIn(started, 'operator')
    const headers = { cookie: browser.cookie ?? '', 'sec-fetch-site': 'same-origin' }
    const stream = readStream(await fetch(`${address}/admin/events`, { headers }))
    await stream.until(/^: open/)
    clock.ms += 5 * 60_000
    await browser.ask('POST', '/admin/account/stay')
    clock.ms += 60_000
    // All streams are admitted again.
    const { key_id: id } = await client.createApiKey({ body: {} })
    await client.revokeApiKey({ params: { id }, query: {} })
    await stream.toEnd()
    expect((await browser.ask('GET', '/admin/account')).status).toBe(200)
  })

  it('goes on when another key is revoked', async () => {
    const { open, client, key } = await listening()
    const { key_id: id } = await client.createApiKey({ body: {} })
    const stream = readStream(await open(key))
    await stream.until(/^: open/)
    await client.revokeApiKey({ params: { id }, query: {} })
    await client.updateSettings({ body: { max_file_size_mb: 11 } })
    await stream.until(/"settings"/)
  })

  it('ends in order when the gateway stops', async () => {
    const { open, key, stop } = await listening()
    const stream = readStream(await open(key))
    await stream.until(/^: open/)
    await stop()
    await stream.toEnd()
  })
})

describe('streams of changes', () => {
  async function serving(options: Parameters<typeof serveLive>[3], admit: () => Promise<Actor>) {
    const app = Fastify()
    const onKeysEnded = () => () => undefined
    const guards = { originOf: () => ({}), checkLocal: () => undefined, admit, onKeysEnded } as unknown as Guards
    serveLive(app, guards, { follow: async () => () => undefined, followOwn: async () => () => undefined }, options)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    return () => fetch(`${address}/admin/events`)
  }

  it('show signs of life, and end when the key is no longer good', async () => {
    let revoked = false
    const admit = async () => {
      if (revoked) throw new Error('revoked')
      return holderOf('k', new Set(['keys:manage']))
    }
    const open = await serving({ heartbeatMs: 5 }, admit)
    const stream = readStream(await open())
    await stream.until(/: open\n\n:\n\n:/)
    revoked = true
    await stream.toEnd()
  })

  it('are bounded in number', async () => {
    const open = await serving({ max: 1 }, async () => holderOf('k', new Set(['keys:manage'])))
    const first = readStream(await open())
    await first.until(/: open/)
    expect((await open()).ok).toBe(false)
  })
})

const changesOf = (database: Database) => createChanges({ database, trail: createTrail(database, log), reader, log })

/** PostgreSQL tells of what is committed once our connection listens. */
async function untilNotified(database: Database): Promise<Database> {
  let seen = false
  onTestFinished(database.signals.on('queue', () => (seen = true)))
  await expect
    .poll(async () => {
      await transact(database, (tx) => database.signals.notify(tx, 'queue'))
      return seen
    })
    .toBe(true)
  return database
}

onEachDatabase((openEmpty, another) => {
  const open = async () => untilNotified(await openEmpty())

  describe('what changed', () => {
    it('names lists and jobs, never more than once in a message', async () => {
      const database = await open()
      const events = new Events(database, () => new Date())
      const heard: LiveMessage[] = []
      const stop = await changesOf(database).follow((message) => heard.push(message))
      onTestFinished(stop)
      await events.jobUpdated([moveOf('a'), moveOf('b'), moveOf('a')])
      await expect
        .poll(() => heard)
        .toEqual([{ changed: ['jobs', 'health'], job_ids: ['a', 'b'], jobs: [{ id: 'a' }, { id: 'b' }], ...carried }])
    })

    it('leaves out the ids when many jobs changed', async () => {
      const database = await open()
      const heard: LiveMessage[] = []
      onTestFinished(await changesOf(database).follow((message) => heard.push(message)))
      await new Events(database, () => new Date()).jobUpdated(Array.from({ length: 1200 }, (_, n) => moveOf(`j${n}`)))
      await expect.poll(() => heard).toEqual([{ changed: ['jobs', 'health'], ...carried }])
    })

    it('tells of webhooks: of their changes, and of messages on their way', async () => {
      const database = await open()
      const events = new Events(database, () => new Date())
      const heard: LiveMessage[] = []
      onTestFinished(await changesOf(database).follow((message) => heard.push(message)))
      await events.webhookUpdated({ webhook: 'w', key_id: 'k', changed: ['url'] })
      await expect.poll(() => heard).toEqual([{ changed: ['webhooks'] }])
      await transact(database, (tx) => database.signals.notify(tx, 'webhooks'))
      await expect.poll(() => heard).toEqual([{ changed: ['webhooks'] }, { changed: ['webhooks'] }])
    })

    it('says nothing of what no screen shows, and of what was rolled back', async () => {
      const database = await open()
      const events = new Events(database, () => new Date())
      const heard: LiveMessage[] = []
      onTestFinished(await changesOf(database).follow((message) => heard.push(message)))
      await events.loginFailed({ path: '/', address: '127.0.0.1' })
      const undone = transact(database, async (tx) => {
        await database.signals.notify(tx, 'inbound')
        throw new Error('rolled back')
      })
      await expect(undone).rejects.toThrow('rolled back')
      await transact(database, (tx) => database.signals.notify(tx, 'settings'))
      await expect.poll(() => heard).toEqual([{ changed: ['settings', 'health'], ...carried }])
    })

    it('hears other processes where the database can tell', async () => {
      const database = await open()
      if (database.engine === 'sqlite') return
      const heard: LiveMessage[] = []
      onTestFinished(await changesOf(database).follow((message) => heard.push(message)))
      await new Events(await another(database), () => new Date()).jobCanceled(moveOf('elsewhere'))
      await expect
        .poll(() => heard)
        .toEqual([{ changed: ['jobs', 'health'], job_ids: ['elsewhere'], jobs: [{ id: 'elsewhere' }], ...carried }])
    })
  })
})
