import { describe, expect, it, onTestFinished } from 'vitest'
import { letter, listen, manners, type Speaker, use } from './testing/speakers.ts'

const other = Buffer.from('Another letter.').toString('base64')
const order = { to: '+15555550123', content_base64: letter, file_name: 'letter.txt' }
const needs = { require_mcp_quote: true }
const waits = { require_mcp_approval: true }

async function open(connect: (typeof manners)[keyof typeof manners], env: Record<string, string> = {}) {
  const clock = { offset: 0 }
  const gateway = await listen(env, { now: () => new Date(Date.now() + clock.offset) })
  const { token, key_id } = await gateway.client.createApiKey({
    body: { name: 'Assistant', scopes: ['fax:send', 'fax:read'] },
  })
  const client: Speaker = await connect(gateway.url, { 'x-api-key': token })
  onTestFinished(() => client.close())
  const jobs = async () => (await gateway.client.listJobs({ query: {} })).total
  const pass = (minutes: number) => (clock.offset += minutes * 60_000)
  return { ...gateway, speaker: client, jobs, pass, token, keyId: key_id }
}

describe.each(Object.entries(manners))('%s, where a quote is required', (_name, connect) => {
  it('sends only with a fresh quote of this very fax, which counts as soon as it is switched on', async () => {
    const { speaker, client: api, jobs, pass } = await open(connect)
    expect((await use(speaker, 'send_fax', order)).isError).toBeFalsy()
    await api.updateSettings({ body: needs })
    const fresh = { ...order, idempotency_key: 'second' }
    const refused = await use(speaker, 'send_fax', fresh)
    expect(refused).toMatchObject({ isError: true })
    expect(refused.content[0]?.text).toMatch(
      /^A fresh quote is needed .*\(quote_fax\), .*quote_id\. \(quote_required\)$/,
    )
    const quoted = (await use(speaker, 'quote_fax', { to: '+1 (555) 555-0123', content_base64: letter }))
      .structuredContent
    expect(quoted).toMatchObject({ pages: 1, minutes: 1, quote_expires_at: expect.stringMatching(/Z$/) })
    const quote_id = String(quoted?.['quote_id'])
    const why = async (change: object) =>
      (await use(speaker, 'send_fax', { ...fresh, quote_id, ...change })).content[0]?.text
    expect(await why({ to: '+15555550199' })).toContain('for a different document, number or options')
    expect(await why({ content_base64: other })).toContain('for a different document, number or options')
    expect(await why({ tones: 'photo' })).toContain('for a different document, number or options')
    expect(await why({ quote_id: 'made-up' })).toContain('not issued to this caller')
    expect(await jobs()).toBe(1)
    const sent = await use(speaker, 'send_fax', { ...fresh, quote_id })
    expect(sent.structuredContent).toMatchObject({ status: 'queued', approval: null })
    pass(16)
    expect(await why({ idempotency_key: 'third' })).toContain('older than 15 minutes')
    expect((await use(speaker, 'send_fax', fresh)).structuredContent).toMatchObject({
      id: sent.structuredContent?.['id'],
    })
    expect(await jobs()).toBe(2)
  })
})

describe.each(Object.entries(manners))('%s, where a person has to approve', (_name, connect) => {
  it('is told to wait, and after the approval about the fax', async () => {
    const { speaker, client: api, jobs, keyId } = await open(connect, { REQUIRE_MCP_APPROVAL: 'true' })
    const asked = await use(speaker, 'send_fax', order)
    expect(asked.structuredContent).toMatchObject({
      id: expect.stringMatching(/^apr_[0-9a-f]{32}$/),
      status: 'waiting_for_approval',
      repeated: false,
      pages: 1,
      approval: { state: 'waiting' },
    })
    expect((await use(speaker, 'send_fax', order)).structuredContent).toEqual({
      ...asked.structuredContent,
      repeated: true,
    })
    expect(await jobs()).toBe(0)
    const id = String(asked.structuredContent?.['id'])
    const [waiting, ...more] = await api.listApprovals({ query: {} })
    expect(more).toEqual([])
    expect(waiting).toMatchObject({
      id,
      to: '+15555550123',
      file_name: 'letter.txt',
      asked_by: keyId,
      asked_by_name: 'Assistant',
    })
    const [first, second] = await Promise.all([api.approveFax({ params: { id } }), api.approveFax({ params: { id } })])
    expect(first).toMatchObject({ state: 'approved', decided_by: 'bootstrap', job_id: second.job_id })
    const state = async () => (await use(speaker, 'get_fax_status', { id })).structuredContent
    await expect.poll(async () => (await state())?.['status'], { timeout: 20_000 }).toBe('SUCCESS')
    expect(await state()).toMatchObject({ id: first.job_id, approval: { id, state: 'approved' } })
    expect((await use(speaker, 'send_fax', order)).structuredContent).toMatchObject({ id: first.job_id })
    expect(await jobs()).toBe(1)
    const { items } = await api.listLogs({ query: { q: id } })
    expect(items.map(({ event, key_id }) => [event, key_id])).toEqual([
      ['request_repeated', keyId],
      ['approval_granted', 'bootstrap'],
      ['request_repeated', keyId],
      ['approval_requested', keyId],
    ])
    const [created] = (await api.listLogs({ query: { event: 'job_created' } })).items
    expect(created).toMatchObject({ key_id: keyId, job_id: first.job_id })
  })

  it('is told that it was refused, and that nothing was sent', async () => {
    const { speaker, client: api, jobs } = await open(connect, { REQUIRE_MCP_APPROVAL: 'true' })
    const id = String((await use(speaker, 'send_fax', order)).structuredContent?.['id'])
    expect(await api.refuseFax({ params: { id } })).toMatchObject({ state: 'refused' })
    expect((await use(speaker, 'get_fax_status', { id })).structuredContent).toMatchObject({
      id,
      status: 'refused',
      error: expect.stringContaining('Nothing was sent'),
    })
    expect(await jobs()).toBe(0)
  })
})

const connect = manners['the v2 client over HTTP']

describe('both rules', () => {
  it('hold together: the quote first, then the person', async () => {
    const { speaker, client: api, jobs } = await open(connect)
    await api.updateSettings({ body: { ...needs, ...waits } })
    expect((await use(speaker, 'send_fax', order)).isError).toBe(true)
    expect(await api.listApprovals({ query: {} })).toEqual([])
    const { quote_id } = (await use(speaker, 'quote_fax', order)).structuredContent ?? {}
    const asked = await use(speaker, 'send_fax', { ...order, quote_id })
    expect(asked.structuredContent).toMatchObject({ status: 'waiting_for_approval' })
    expect(await jobs()).toBe(0)
  })

  it('do not hold for keys that are used without MCP, of which the quote of one is no use to another', async () => {
    const { speaker, client: api, url } = await open(connect, { REQUIRE_MCP_QUOTE: 'true' })
    const file = new File(['A letter by an assistant.'], 'letter.txt')
    expect(await api.submitFax({ form: { to: order.to, file } })).toMatchObject({ status: 'queued' })
    const { token } = await api.createApiKey({ body: { scopes: ['fax:send'] } })
    const another = await connect(url, { 'x-api-key': token })
    onTestFinished(() => another.close())
    const { quote_id } = (await use(another, 'quote_fax', order)).structuredContent ?? {}
    expect((await use(speaker, 'send_fax', { ...order, quote_id })).content[0]?.text).toContain(
      'not issued to this caller',
    )
  })
})
