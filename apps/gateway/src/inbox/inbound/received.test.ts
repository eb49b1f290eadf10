import type { ReceivedFax } from '@faxdeck/contract'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { transact } from '../../base/db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { listeningGateway, type Program } from '../../testing/listening.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { receivedRow } from './testing/received-fax.ts'
import { insertInbound, listInboundRows, updateInbound } from './store.ts'

const scopes = ['fax:read', 'inbound:list', 'inbound:read'] as const
const reading = { FAX_TEXT: 'true' }
const patient = { timeout: 60_000, interval: 1000 }
const idOf = (n: number) => n.toString(16).padStart(32, '0')

async function list(program: Program, query = '') {
  const answer = await program.call('GET', `/received${query}`)
  return answer.json() as unknown as { faxes: ReceivedFax[]; next_cursor: string | null }
}

onEachDatabase((open) => {
  it('faxes stand in the order in which they were complete, also one whose document came late or anew', async () => {
    const database = await open()
    const { db } = database
    const add = (n: number, status: 'waiting' | 'received' | 'failed') =>
      transact(database, (tx) =>
        insertInbound(tx, receivedRow({ id: idOf(n), status, received_at: `2026-03-01T12:0${n}:00.000Z` })),
      )
    const order = async (value = '0') => {
      const after = { value, id: '' }
      const rows = await listInboundRows(db, { isOldestFirst: true, after, limit: 10 })
      return rows.map(({ id }) => Number.parseInt(id, 16))
    }
    await add(1, 'waiting')
    await add(2, 'received')
    await add(3, 'failed')
    expect(await order()).toEqual([2, 3])
    const [, third] = await listInboundRows(db, { isOldestFirst: true, limit: 10 })
    await updateInbound(db, idOf(1), { status: 'received' })
    await updateInbound(db, idOf(1), { read_at: '2026-03-01T13:00:00.000Z', status: 'received' })
    expect(await order()).toEqual([2, 3, 1])
    await updateInbound(db, idOf(3), { status: 'waiting' })
    expect(await order()).toEqual([2, 1])
    await updateInbound(db, idOf(3), { status: 'received' })
    expect(await order(String(third?.place))).toEqual([1, 3])
  })
})

describe('received faxes for programs', () => {
  it('are listed with the names that a program expects, and what arrived since the last one that was seen', async () => {
    const { client, program } = await listeningGateway()
    const key = await program('by_id', [...scopes])
    const { id: group } = await client.createGroup({ body: { name: 'Cardiology' } })
    await client.addGroupNumber({ params: { id: group, number: '+15555550100' } })
    const receive = async (to: string, fr = '+15555550177') =>
      (await client.simulateInbound({ body: { to, fr, pages: 2 } })).id
    const first = await receive('+15555550100')
    const { faxes, next_cursor } = await list(key)
    expect(next_cursor).toBeNull()
    expect(faxes).toMatchObject([
      {
        ...{ id: first, from: '+15555550177', to: '+15555550100', status: 'received', pages: 2, test: true },
        group: { id: group, name: 'Cardiology' },
        links: { self: `/received/${first}`, document: `/received/${first}/document` },
      },
    ])
    const since = (cursor: unknown) => list(key, `?order=oldest&limit=1&cursor=${String(cursor)}`)
    expect((await since(faxes[0]?.cursor)).faxes).toEqual([])
    const [second, third] = [await receive('+15555550101'), await receive('+15555550100', '+15555550178')]
    const page = await since(faxes[0]?.cursor)
    expect(page.faxes.map(({ id }) => id)).toEqual([second])
    expect((await since(page.next_cursor)).faxes.map(({ id }) => id)).toEqual([third])
    const found = async (query: string) => (await list(key, query)).faxes.map(({ id }) => id)
    expect(await found('?to=5555550101')).toEqual([second])
    expect(await found('?from=%2B15555550178')).toEqual([third])
    expect(await found(`?group=${group}`)).toEqual([third, first])
    expect(await found('?until=2001-01-01')).toEqual([])
    expect(await found('?since=2001-01-01&limit=2')).toEqual([third, second])
    expect(await found('?status=failed')).toEqual([])
    expect(await found('?status=failed,Received')).toEqual([third, second, first])
    expect(await found('?status=failed&status=received')).toEqual([third, second, first])
    for (const status of ['waiting', 'waiting,received'])
      expect((await key.call('GET', `/received?order=oldest&status=${status}`)).status).toBe(400)
    expect((await key.call('GET', `/received?cursor=${String(faxes[0]?.cursor)}&order=oldest`)).status).toBe(200)
    expect((await key.call('GET', '/received?cursor=bm9uZQ&order=oldest')).status).toBe(400)
  })

  it('are read as PDF, TIFF, as they arrived and as text, marked, and fetched many at once', async () => {
    const { client, program } = await listeningGateway({ env: reading })
    const key = await program('by_id', [...scopes])
    const { id } = await client.simulateInbound({ body: {} })
    const typeOf = async (format: string) => {
      const answer = await key.call('GET', `/received/${id}/document?format=${format}`)
      return `${answer.status} ${answer.headers.get('content-type')} ${answer.text.slice(0, 2)}`
    }
    expect(await typeOf('pdf')).toBe('200 application/pdf %P')
    expect(await typeOf('tiff')).toBe('200 image/tiff II')
    expect(await typeOf('original')).toBe('200 image/tiff II')
    const text = async () => (await key.call('GET', `/received/${id}/document?format=text`)).text
    await expect.poll(text, patient).toMatch(/FAXDECK TEST FAX\n+This page/)
    expect((await key.call('POST', `/received/${id}/read`, {})).json()['read_at']).toEqual(expect.any(String))
    expect((await list(key, '?unread=true')).faxes).toEqual([])
    expect((await key.call('POST', `/received/${id}/read`, { read: false })).json()['read_at']).toBeNull()
    const zip = await client.archiveReceived({ body: { ids: [id] } })
    expect(Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer())))).toHaveLength(1)
    const { items } = await client.listLogs({ query: { event: 'inbound_pdf_served' } })
    expect(items.filter(({ key_id: by }) => by === key.keyId).length).toBeGreaterThanOrEqual(4)
  })

  it('lose their document to whoever may decide about that, unless a hold is on them or deletions are paused', async () => {
    const { client, program } = await listeningGateway()
    const key = await program('by_id', [...scopes])
    const { id } = await client.simulateInbound({ body: {} })
    const remove = () => client.deleteReceived({ params: { id } })
    expect((await key.call('DELETE', `/received/${id}`)).status).toBe(403)
    const hold = await client.placeHold({ body: { kind: 'fax', subject: id, reason: 'Case 2026-117' } })
    await expect(remove()).rejects.toMatchObject({
      answer: { code: 'conflict', detail: expect.stringContaining('hold') },
    })
    await client.liftHold({ params: { id: hold.id }, body: { reason: 'The case is closed.' } })
    await client.pauseDeletions({})
    await expect(remove()).rejects.toMatchObject({ answer: { detail: expect.stringContaining('paused') } })
    await client.resumeDeletions({})
    expect(await remove()).toMatchObject({ id, document_kept: false, links: { document: null } })
    expect((await key.call('GET', `/received/${id}/document`)).status).toBe(404)
    const { deletions } = await client.listDeletions({ query: {} })
    expect(deletions).toMatchObject([{ fax_id: id, reason: 'deleted' }])
  })
})

describe('a key that was made to delete received faxes', () => {
  it('deletes those it sees and no others, is held by legal holds, and stands in the list and the trail', async () => {
    const { client, program } = await listeningGateway()
    const made = { received_only: { numbers: ['+15555550101'] }, received_delete: true }
    const key = await program('own', ['inbound:read'], made)
    const receive = async (to: string) => (await client.simulateInbound({ body: { to } })).id
    const [ours, other] = [await receive('+15555550101'), await receive('+15555550102')]
    const remove = (id: string) => key.call('DELETE', `/received/${id}`)
    expect((await remove(other)).status).toBe(404)
    const hold = await client.placeHold({ body: { kind: 'fax', subject: ours, reason: 'Case 2026-117' } })
    expect((await remove(ours)).status).toBe(409)
    await client.liftHold({ params: { id: hold.id }, body: { reason: 'The case is closed.' } })
    expect((await remove(ours)).json()).toMatchObject({ id: ours, document_kept: false })
    expect(await client.listApiKeys({})).toMatchObject([{ received_delete: true }])
    const { items } = await client.listLogs({ query: {} })
    expect(items.find(({ event }) => event === 'api_key_created')).toMatchObject({ received_delete: true })
    expect(items.find(({ event }) => event === 'inbound_deleted')).toMatchObject({ job_id: ours, key_id: key.keyId })
  })

  it('is answered from anywhere, which those who administer are not, nor keys that were not made for it', async () => {
    const { app, client, key: bootstrap } = await startGateway()
    const { id } = await client.simulateInbound({ body: {} })
    const make = async (body: object) => (await client.createApiKey({ body: { scopes: [...scopes], ...body } })).token
    const remove = async (key: string) => {
      const headers = { host: 'localhost', 'x-api-key': key }
      const answer = await app.inject({
        method: 'DELETE',
        url: `/received/${id}`,
        headers,
        remoteAddress: '203.0.113.9',
      })
      return [answer.statusCode, answer.json<{ code?: string }>().code]
    }
    expect(await remove(bootstrap)).toEqual([403, 'admin_local_only'])
    expect(await remove(await make({}))).toEqual([403, 'forbidden'])
    expect(await remove(await make({ received_delete: true }))).toEqual([200, undefined])
  })

  it('is refused where it could open none, see none, or need not be made for it', async () => {
    const { client } = await startGateway()
    const make = (body: object) => client.createApiKey({ body: { received_delete: true, ...body } })
    await expect(make({ scopes: ['inbound:list'] })).rejects.toMatchObject({ status: 422 })
    await expect(make({ scopes: ['inbound:read'], fax_access: 'own' })).rejects.toMatchObject({ status: 422 })
    await expect(make({ scopes: ['keys:manage'] })).rejects.toMatchObject({ status: 422 })
  })
})

describe('a key that is limited to some received faxes', () => {
  it('sees those of its groups and numbers everywhere, and no others', async () => {
    const { client, program } = await listeningGateway()
    const { id: group } = await client.createGroup({ body: { name: 'Cardiology' } })
    await client.addGroupNumber({ params: { id: group, number: '+15555550100' } })
    const limited = { received_only: { groups: [group], numbers: ['555 555 0101'] } }
    const key = await program('own', [...scopes], limited)
    const heard = await key.events(undefined, '?types=inbound.*')
    const receive = async (to: string) => (await client.simulateInbound({ body: { to } })).id
    const [ours, called, other] = [
      await receive('+15555550100'),
      await receive('+15555550101'),
      await receive('+15555550102'),
    ]
    expect((await list(key)).faxes.map(({ id }) => id)).toEqual([called, ours])
    expect((await list(key, '?order=oldest')).faxes.map(({ id }) => id)).toEqual([ours, called])
    expect((await list(key, '?q=0102')).faxes).toEqual([])
    expect((await key.call('GET', '/inbound')).text).not.toContain(other)
    const paths = ['', '/document', '/document?format=text'].map((end) => `/received/${other}${end}`)
    for (const path of [...paths, `/inbound/${other}`, `/inbound/${other}/pdf`, `/inbound/${other}/original`])
      expect((await key.call('GET', path)).status, path).toBe(404)
    expect((await key.call('POST', `/received/${other}/read`, {})).status).toBe(404)
    expect((await key.call('POST', '/received/archive', { ids: [ours, other] })).status).toBe(404)
    expect((await key.call('GET', `/received/${called}`)).status).toBe(200)
    await expect.poll(() => heard.text()).toContain(called)
    expect(heard.text()).toContain(ours)
    expect(heard.text()).not.toContain(other)
    const [listed] = await client.listApiKeys({})
    expect(listed).toMatchObject({ received_only: { groups: [group], numbers: ['+15555550101'] } })
    await client.deleteGroup({ params: { id: group } })
    expect((await list(key)).faxes.map(({ id }) => id)).not.toContain(other)
  })

  it('is refused where the limit would mean nothing', async () => {
    const { client } = await listeningGateway()
    const only = { groups: [], numbers: ['+15555550100'] }
    const make = (body: object) => client.createApiKey({ body: { scopes: [...scopes], received_only: only, ...body } })
    await expect(make({ scopes: ['keys:manage'] })).rejects.toMatchObject({ status: 422 })
    await expect(make({ scopes: ['fax:send'] })).rejects.toMatchObject({ status: 422 })
    await expect(make({ received_only: {} })).rejects.toMatchObject({ status: 422 })
    await expect(make({ received_only: { groups: ['0123456789ab'] } })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the events of received faxes', () => {
  it('are sent to whoever asks for them, marked as tests, and again after the last one that was seen', async () => {
    const { client, program } = await listeningGateway({ env: reading })
    const key = await program('by_id', ['inbound:list'])
    const both = await program('by_id', [...scopes])
    const [heard, usual] = [await key.events(undefined, '?types=inbound.*'), await both.events()]
    const { id } = await client.simulateInbound({ body: { to: '+15555550100' } })
    const types = () => heard.events().map(({ event }) => event)
    await expect.poll(types, patient).toEqual(['inbound.received', 'inbound.updated'])
    expect(heard.events()[0]?.data).toMatchObject({
      type: 'inbound.received',
      fax: { id, to: '+15555550100', test: true, links: { self: `/received/${id}` } },
    })
    expect(usual.events()).toEqual([])
    const again = await both.events(heard.events()[0]?.id, '?types=fax.*,inbound.updated')
    await expect.poll(() => again.events().map(({ event }) => event)).toEqual(['inbound.updated'])
    expect((await key.call('GET', '/fax/events')).status).toBe(403)
    expect((await key.call('GET', '/fax/events?types=fax.queued,inbound.*')).status).toBe(403)
    const wrong = await both.call('GET', '/fax/events?types=fax.unknown')
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('inbound.updated')])
  })
})
