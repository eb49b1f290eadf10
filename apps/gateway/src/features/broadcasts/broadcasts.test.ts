import { describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'

const number = (n: number) => `+1555555${String(n).padStart(4, '0')}`
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => number(from + n))
const letter = () => new File(['The clinic moves on Monday.'], 'news.txt', { type: 'text/plain' })
/** A line that takes ten minutes for each fax, so that nothing ends by itself. */
const slow = { env: { TESTLINE_SECONDS: '600' } }

const create = ({ client }: TestGateway, recipients: string, more: object = {}, key?: string) =>
  client.createBroadcast(
    { form: { file: letter(), recipients, ...more } },
    key === undefined ? {} : { headers: { 'idempotency-key': key } },
  )
const finished = async ({ client }: TestGateway, id: string) => {
  await expect
    .poll(async () => (await client.getBroadcast({ params: { id } })).state, { timeout: 30_000 })
    .toBe('finished')
  return client.getBroadcast({ params: { id } })
}

describe('a broadcast', () => {
  it('sends one document to each number once, and says what it left out', async () => {
    const gateway = await startGateway()
    const { client } = gateway
    const list = [...numbers(8), '(555) 555-0003', 'fax 12', number(7)].join('\n')
    const refused = await create(gateway, list).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      status: 422,
      answer: {
        code: 'bad_recipients',
        fields: [{ field: 'recipients.10', message: expect.stringContaining('fax 12') }],
      },
    })
    expect((await client.listJobs({ query: {} })).total).toBe(0)
    const made = await create(gateway, list, { skip_invalid: 'true' })
    expect(made).toMatchObject({ faxes: 8, duplicates: 2, skipped: 1, skipped_rows: [{ row: 10, text: 'fax 12' }] })
    const { counts } = await finished(gateway, made.id)
    expect(counts).toMatchObject({ delivered: 8, failed: 0, queued: 0 })
    const jobs = await client.listJobs({ query: { broadcast: made.id, status: 'SUCCESS' } })
    expect(jobs.total).toBe(8)
    for (const q of ['0007', '…0007', '...0007'])
      expect(await client.listJobs({ query: { broadcast: made.id, q } })).toMatchObject({ total: 1 })
    expect(await client.getJob({ params: { id: jobs.jobs[0]?.id ?? '' } })).toMatchObject({ broadcast_id: made.id })
    expect((await client.listJobs({ query: { broadcast: made.id, outcome: 'cancelled' } })).total).toBe(0)
    await expect(client.listJobs({ query: { outcome: 'cancelled' } })).rejects.toMatchObject({ status: 400 })
  })

  it('is one broadcast under one key, however often and how many at a time', async () => {
    const gateway = await startGateway()
    const list = numbers(30).join(',')
    const all = await Promise.all(Array.from({ length: 4 }, () => create(gateway, list, {}, 'one')))
    all.push(await create(gateway, list, {}, 'one'))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect((await gateway.client.listJobs({ query: {} })).total).toBe(30)
    await expect(create(gateway, numbers(31).join(','), {}, 'one')).rejects.toMatchObject({ status: 409 })
  })

  it('counts once toward the limit of its caller', async () => {
    const gateway = await startGateway({ env: { MAX_REQUESTS_PER_MINUTE: '2' } })
    const made = await create(gateway, numbers(70).join('\n'))
    expect(made.faxes).toBe(70)
    expect((await create(gateway, numbers(3, 500).join('\n'))).faxes).toBe(3)
    await expect(create(gateway, number(9))).rejects.toMatchObject({ status: 429 })
  })

  it('names the recipients of its list in the list of jobs, without a cover page too', async () => {
    const gateway = await startGateway()
    const made = await create(gateway, `fax,name\n${number(1)},Ann\n${number(2)},`)
    const { jobs } = await gateway.client.listJobs({ query: { broadcast: made.id } })
    const names = jobs.map(({ to_number: to, recipient }) => [to.slice(-1), recipient])
    expect(names.toSorted()).toEqual([
      ['1', 'Ann'],
      ['2', null],
    ])
    const id = jobs.find(({ recipient }) => recipient !== null)?.id ?? ''
    expect(await gateway.client.getJob({ params: { id } })).toMatchObject({ recipient: 'Ann' })
  })

  it('addresses each cover page to its own recipient, and refuses names that cannot be printed', async () => {
    const gateway = await startGateway()
    const list = `fax,name,reference\n${number(1)},"Lake, Ann",A-1\n${number(2)},Bob`
    const made = await create(gateway, list, { cover: 'plain' })
    expect(made).toMatchObject({ faxes: 2, pages: 2 })
    const { recipients } = await gateway.client.listBroadcastRecipients({ params: { id: made.id }, query: {} })
    expect(recipients).toMatchObject([
      { n: 1, to: number(1), name: 'Lake, Ann', reference: 'A-1' },
      { n: 2, to: number(2), name: 'Bob', reference: null },
    ])
    const odd = create(gateway, `fax,name\n${number(3)},Bob \u{1fae8}`, { cover: 'plain' })
    await expect(odd).rejects.toMatchObject({ answer: { code: 'bad_cover', detail: expect.stringContaining('row 2') } })
  })

  it('takes its list as a file, and gives its outcomes as a file that no spreadsheet calculates', async () => {
    const gateway = await startGateway()
    const { app, key, client } = gateway
    const form = new FormData()
    form.append('file', letter())
    form.append('recipients', new File([`\ufefffax;name\n${number(1)};=1+1`], 'numbers.csv', { type: 'text/csv' }))
    const request = new Request('http://127.0.0.1:8080/fax/broadcasts', { method: 'POST', body: form })
    const answer = await app.inject({
      method: 'POST',
      url: '/fax/broadcasts',
      headers: { host: '127.0.0.1:8080', 'x-api-key': key, ...Object.fromEntries(request.headers) },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    expect(answer.statusCode).toBe(202)
    const { id } = answer.json<{ id: string }>()
    await finished(gateway, id)
    const csv = await (await client.exportBroadcast({ params: { id } })).text()
    const [head = '', row = ''] = csv.split('\r\n')
    expect(row).toMatch(/^'\+15555550001,'=1\+1,,test passed,SUCCESS,/)
    expect([head, row].map((line) => line.split(',').at(-1))).toEqual(['Test line', 'yes: not sent'])
  })

  it('is seen by its own key and by administrators alone', async () => {
    const { app, client } = await startGateway()
    const token = async () => (await client.createApiKey({ body: { scopes: ['fax:send', 'fax:read'] } })).token
    const [own, other] = [await token(), await token()]
    const { id } = await create({ client } as TestGateway, number(1))
    const ask = (url: string, key: string, method: 'GET' | 'POST' = 'GET') =>
      app.inject({ method, url, headers: { host: '127.0.0.1:8080', 'x-api-key': key } })
    expect((await ask(`/fax/broadcasts/${id}`, own)).statusCode).toBe(404)
    expect((await ask(`/fax/broadcasts/${id}/cancel`, other, 'POST')).statusCode).toBe(404)
    expect((await ask(`/fax/broadcasts/${id}/outcomes.csv`, other)).statusCode).toBe(404)
    expect((await ask('/fax/broadcasts', own)).json()).toEqual({ broadcasts: [], next_cursor: null })
    expect((await client.listBroadcasts({ query: {} })).broadcasts).toMatchObject([{ id, faxes: 1 }])
  })

  it('is paused, stays paused through a restart, and goes on', async () => {
    const first = await startGateway(slow)
    const { id } = await create(first, numbers(12).join('\n'))
    const params = { id }
    const paused = await first.client.pauseBroadcast({ params })
    expect(paused.state).toBe('paused')
    const { in_progress: underWay } = paused.counts
    await first.stop()
    const second = await startGateway({ directory: first.directory })
    const after = async () => (await second.client.getBroadcast({ params })).counts
    await expect.poll(async () => (await after()).delivered, { timeout: 30_000 }).toBeLessThanOrEqual(underWay)
    const single = await second.client.submitFax({ form: { to: number(900), file: letter() } })
    await expect
      .poll(async () => (await second.client.getFax({ params: { id: single.id } })).status, { timeout: 30_000 })
      .toBe('SUCCESS')
    expect((await after()).queued).toBeGreaterThan(0)
    await second.client.resumeBroadcast({ params })
    expect((await finished(second, id)).counts.delivered + (await after()).in_progress).toBe(12)
  })

  it('cancels what has not gone out, once and for all', async () => {
    const gateway = await startGateway(slow)
    const { client } = gateway
    const { id } = await create(gateway, numbers(60).join('\n'))
    const params = { id }
    await client.pauseBroadcast({ params })
    await client.cancelBroadcast({ params })
    await client.cancelBroadcast({ params })
    await expect.poll(async () => (await client.getBroadcast({ params })).counts.queued, { timeout: 30_000 }).toBe(0)
    const { counts, resendable, state } = await client.getBroadcast({ params })
    expect(counts.cancelled).toBeGreaterThan(0)
    expect(counts.cancelled + counts.in_progress).toBe(60)
    expect(resendable).toBe(0)
    expect(state).toBe(counts.in_progress > 0 ? 'cancelling' : 'finished')
    await expect(client.resumeBroadcast({ params })).rejects.toMatchObject({ status: 409 })
    await expect(client.resendBroadcast({ params })).rejects.toMatchObject({ status: 409 })
  })

  it('lets a fax that a person sends go before it', async () => {
    const gateway = await startGateway({ env: { TESTLINE_SECONDS: '1', LANE_CONCURRENCY: '4' } })
    const { client } = gateway
    const { id } = await create(gateway, numbers(60).join('\n'))
    const single = await client.submitFax({ form: { to: number(9000), file: letter() } })
    await expect
      .poll(async () => (await client.getFax({ params: { id: single.id } })).status, { timeout: 30_000 })
      .toBe('SUCCESS')
    expect((await client.getBroadcast({ params: { id } })).counts.queued).toBeGreaterThan(0)
  })
})
