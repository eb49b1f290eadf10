import { describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/start-gateway.ts'

const minute = 60_000

async function started(env: Record<string, string> = {}) {
  const clock = { ms: Date.parse('2026-03-01T12:01:00.000Z') }
  const gateway = await startGateway({ env: { INBOUND_GET_RPM: '0', ...env }, now: () => new Date(clock.ms) })
  const { id } = await gateway.client.simulateInbound({ body: { pages: 3 } })
  const statusOf = async () => (await gateway.client.getInbound({ params: { id } })).status
  await expect.poll(statusOf, { timeout: 20_000 }).toBe('received')
  return { ...gateway, id, clock }
}

const look = ({ app }: TestGateway, id: string, page: number, key: string, width?: number) =>
  app.inject({
    url: `/admin/inbound/${id}/pages/${page}${width === undefined ? '' : `?width=${width}`}`,
    headers: { host: 'localhost', 'x-api-key': key },
    remoteAddress: '127.0.0.1',
  })

const viewsOf = async ({ client }: TestGateway) => {
  const { items } = await client.listLogs({ query: { event: 'document_viewed' } })
  return items.map(({ ts: _, event: __, ...facts }) => facts)
}

describe('looking at a document', () => {
  it('is recorded once for each person and quarter of an hour, with the first page and how long it stands', async () => {
    const gateway = await started()
    const { id, key, clock } = gateway
    const other = (await gateway.client.createApiKey({ body: { scopes: ['keys:manage'] } })).token
    const answers = await Promise.all([1, 2, 3].map((page) => look(gateway, id, page, key)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await viewsOf(gateway)).toMatchObject([
      { job_id: id, size: 'page', until: '2026-03-01T12:15:00.000Z', key_id: expect.any(String) },
    ])
    await look(gateway, id, 2, other)
    expect(await viewsOf(gateway)).toHaveLength(2)
    clock.ms += 15 * minute
    await look(gateway, id, 3, key)
    expect(await viewsOf(gateway)).toMatchObject([{ page: 3, until: '2026-03-01T12:30:00.000Z' }, {}, {}])
  })

  it('is no view where only a thumbnail that cannot be read was shown, which a page includes', async () => {
    const gateway = await started()
    const { id, key } = gateway
    const shown = async () => (await gateway.client.listLogs({ query: { event: 'thumbnail_shown' } })).items
    for (const page of [1, 2, 3]) await look(gateway, id, page, key, 128)
    expect(await viewsOf(gateway)).toEqual([])
    expect(await shown()).toMatchObject([{ job_id: id, page: 1, until: '2026-03-01T12:15:00.000Z' }])
    await look(gateway, id, 2, key, 129)
    await look(gateway, id, 3, key, 128)
    expect(await viewsOf(gateway)).toMatchObject([{ size: 'page', page: 2 }])
    expect(await shown()).toHaveLength(1)
  })

  it('is recorded also when the picture is in the caller’s cache, and not when there is no such page', async () => {
    const gateway = await started()
    const { id, key, clock } = gateway
    expect((await look(gateway, id, 9, key)).statusCode).toBe(404)
    expect(await viewsOf(gateway)).toEqual([])
    const { etag } = (await look(gateway, id, 1, key)).headers
    clock.ms += 15 * minute
    const again = await gateway.app.inject({
      url: `/admin/inbound/${id}/pages/1`,
      headers: { host: 'localhost', 'x-api-key': key, 'if-none-match': String(etag) },
      remoteAddress: '127.0.0.1',
    })
    expect(again.statusCode).toBe(304)
    expect(await viewsOf(gateway)).toHaveLength(2)
  })

  it('shows nothing while it cannot be recorded, and is recorded once it can', async () => {
    const gateway = await started()
    const { id, key } = gateway
    const { documentViewed } = gateway.gateway.events
    const events = gateway.gateway.events as { documentViewed: typeof documentViewed }
    events.documentViewed = () => Promise.reject(new Error('The trail cannot be written.'))
    const refused = await look(gateway, id, 1, key)
    expect(refused.statusCode).toBe(500)
    expect(refused.headers['content-type']).not.toBe('image/png')
    events.documentViewed = documentViewed
    expect((await look(gateway, id, 1, key)).statusCode).toBe(200)
    expect(await viewsOf(gateway)).toHaveLength(1)
  })

  it('leaves nothing in the trail where an installation does not want it', async () => {
    const gateway = await started({ AUDIT_DOCUMENT_VIEWS: 'false' })
    const { id, key, client } = gateway
    expect((await look(gateway, id, 1, key)).statusCode).toBe(200)
    await client.getInboundPdf({ params: { id } })
    expect(await viewsOf(gateway)).toEqual([])
    expect((await client.listLogs({ query: { event: 'inbound_pdf_served' } })).items).toEqual([])
  })
})

describe('showing a number in full', () => {
  const shownOf = async ({ client }: TestGateway) =>
    (await client.listLogs({ query: { event: 'number_shown' } })).items.map(({ ts: _, event: __, ...facts }) => facts)

  it('is recorded once for each person, fax and quarter of an hour, also where views are not', async () => {
    const gateway = await started({ AUDIT_DOCUMENT_VIEWS: 'false' })
    const { client, clock } = gateway
    const file = new File(['One page.'], 'page.txt', { type: 'text/plain' })
    const { id } = await client.submitFax({ form: { to: '+15555550123', file } })
    expect((await client.getJob({ params: { id } })).to_number).toBe('********0123')
    const show = () => client.showJobNumber({ params: { id } })
    expect(await Promise.all([show(), show()])).toEqual([{ to_number: '+15555550123' }, { to_number: '+15555550123' }])
    const { fr, to } = await client.getInbound({ params: { id: gateway.id } })
    expect(await client.showInboundNumbers({ params: { id: gateway.id } })).toEqual({ fr, to })
    expect(await shownOf(gateway)).toMatchObject([
      { job_id: gateway.id, until: '2026-03-01T12:15:00.000Z' },
      { job_id: id, key_id: expect.any(String) },
    ])
    clock.ms += 15 * minute
    await show()
    expect(await shownOf(gateway)).toHaveLength(3)
  })

  it('is refused to who does not see the fax, and nothing is recorded', async () => {
    const gateway = await started()
    const { token } = await gateway.client.createApiKey({ body: { scopes: ['fax:send', 'fax:read', 'inbound:list'] } })
    const file = new File(['One page.'], 'page.txt', { type: 'text/plain' })
    const { id } = await gateway.client.submitFax({ form: { to: '+15555550123', file } })
    const ask = (url: string) =>
      gateway.app.inject({
        method: 'POST',
        url,
        headers: { host: 'localhost', 'x-api-key': token },
        remoteAddress: '127.0.0.1',
      })
    const outcomes = [await ask(`/admin/fax-jobs/${id}/number`), await ask(`/admin/inbound/${gateway.id}/numbers`)]
    expect(outcomes.map(({ statusCode }) => statusCode)).toEqual([403, 403])
    expect(await shownOf(gateway)).toEqual([])
  })
})
