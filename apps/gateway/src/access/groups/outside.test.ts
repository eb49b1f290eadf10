import { exampleOf, type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { expect, it, onTestFinished } from 'vitest'
import type { Browser } from '../../testing/browser.ts'
import type { TestGateway } from '../../testing/start-gateway.ts'
import { callsAbout, mayBeAsked } from './testing/calls-about.ts'
import { delivered, groupWith, onBothDatabases, receivedOn, sendAs } from './testing/two-groups.ts'

const rows = Object.entries(routes) as [RouteName, RouteRow][]
const [own, foreign] = [
  { number: '+15555550110', to: '+15555557712', from: '+15555557713', word: 'Ownwordone' },
  { number: '+15555550120', to: '+15555559871', from: '+15555558866', word: 'Foreignword' },
]

/** Faxes in the group of a member, and in another one, which has everything the first has. */
async function twoGroups(gateway: TestGateway) {
  const ours = await groupWith(gateway, { name: 'Ours', number: own.number, person: 'mia' })
  const theirs = await groupWith(gateway, { name: 'Theirs', number: foreign.number, person: 'otto' })
  const sent = await delivered(gateway, ours.browser, { ...own, fields: { reference: 'ownref' } })
  const fields = {
    reference: 'foreignref',
    metadata: '{"patient":"foreignpatient"}',
    cover: 'plain',
    cover_to: 'Foreignname',
  }
  const sentThere = await delivered(gateway, theirs.browser, { ...foreign, fields })
  const many = { to: foreign.to, word: 'Foreignbroadcast', fields: { recipients: `${foreign.to}\n+15555559872` } }
  const broadcast = (await sendAs(theirs.browser, many, '/fax/broadcasts')).body.id
  const received = await receivedOn(gateway, own.number, own.from)
  const receivedThere = await receivedOn(gateway, foreign.number, foreign.from)
  // One that belongs to nobody but the operators.
  const receivedByNone = await receivedOn(gateway, '+15555550199', '+15555558867')
  const found = async () => (await gateway.client.listJobs({ query: { q: 'foreignword' } })).total
  await expect.poll(found, { timeout: 60_000 }).toBe(1)
  const secrets = [
    ...[sentThere, broadcast, receivedThere, receivedByNone, theirs.id, theirs.person.id],
    ...[foreign.to, foreign.from, foreign.number, '9871', '8866', '8867'],
    ...['foreignref', 'foreignpatient', 'foreignname', 'foreignword', 'foreignbroadcast', 'otto', 'theirs'],
  ]
  return { gateway, ours, theirs, ids: { sent, received, sentThere, receivedThere, broadcast }, secrets }
}

/** What somebody types who looks for what is not theirs. */
const searches = (secrets: readonly string[]) => ['', ...secrets, '555555', 'plain', 'e']

/** Every address that a member can read without naming a fax, with every search that its list takes. */
function readable(secrets: readonly string[], groups: readonly string[]): string[] {
  return rows.flatMap(([name, row]) => {
    const { params = {}, query = {} } = exampleOf(name, row.path)
    if (row.method !== 'GET' || !mayBeAsked(row) || 'id' in params) return []
    const keys = Object.keys(row.query?.shape ?? {})
    const asked = new URLSearchParams(
      Object.entries(query).map(([key, value]) => [key, String(value)] as [string, string]),
    )
    const tries: [string, string][] = [
      ...(keys.includes('q') ? searches(secrets).map((q): [string, string] => ['q', q]) : []),
      ...(keys.includes('group') ? groups.map((id): [string, string] => ['group', id]) : []),
      ...(keys.includes('sort') ? ['ended', 'pages', 'updated'].map((sort): [string, string] => ['sort', sort]) : []),
      ...(keys.includes('ids') ? [['ids', secrets.slice(0, 3).join(',')] as [string, string]] : []),
      ...(keys.includes('to') ? [['to', foreign.to] as [string, string]] : []),
      ...(keys.includes('to_number') ? [['to_number', foreign.number] as [string, string]] : []),
      ...(keys.includes('metadata') ? [['metadata', 'patient:foreignpatient'] as [string, string]] : []),
      ...(keys.includes('reference') ? [['reference', 'foreignref'] as [string, string]] : []),
    ]
    const plain = new URLSearchParams([...asked].filter(([key]) => !['status', 'reference', 'q'].includes(key)))
    const all = [asked, plain, ...tries.map(([key, value]) => new URLSearchParams([[key, value]]))]
    return all.map((search) => `${row.path}${search.size > 0 ? `?${search}` : ''}`)
  })
}

/** An answer as far as two askers may compare it: what names the very request is left out. */
const compared = ({ status, body }: Awaited<ReturnType<Browser['ask']>>, id: string) => {
  const text = typeof body === 'string' ? body : JSON.stringify({ ...body, request_id: undefined, instance: undefined })
  return `${status} ${text.replaceAll(id.slice(0, 8), 'ID').replaceAll(id, 'ID')}`
}

/** What every call that names a fax, by its path or in its body, answers for one id. */
async function answersFor(browser: Browser, id: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const { name, method, path, more } of callsAbout(id)) {
    answers[name] = compared(await browser.ask(method, path, more), id)
  }
  return answers
}

/** The stream at an address, as a person's browser reads it. */
async function followed(address: string, path: string, browser: Browser) {
  const headers = { cookie: browser.cookie ?? '', 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(address + path, { headers })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader?.cancel().catch(() => undefined))
  const heard = { status: answer.status, text: '', ended: false }
  const read = async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) heard.text += next.value
    heard.ended = true
  }
  void read().catch(() => (heard.ended = true))
  return heard
}

onBothDatabases((open) => {
  it(
    'no list, count, search or export tells a member of a fax outside of their groups',
    { timeout: 180_000 },
    async () => {
      const { ours, theirs, ids, secrets } = await twoGroups(await open({ FAX_TEXT: 'true' }))
      const { browser } = ours
      let text = ''
      for (const url of readable(secrets, [ours.id, theirs.id, '0'.repeat(12)])) {
        const { status, body } = await browser.ask('GET', url)
        const answer = (typeof body === 'string' ? body : JSON.stringify(body)).toLowerCase()
        expect([url, status < 500]).toEqual([url, true])
        if (url.startsWith('/admin/recipients'))
          expect(body).toMatchObject({ faxed_before: 0, last_delivered_at: null })
        // What was asked for may stand in a refusal, and in how a number is dialed.
        if (status !== 200 || url.startsWith('/admin/recipients')) continue
        text += answer
        for (const secret of secrets) expect([url, secret, answer.includes(secret)]).toEqual([url, secret, false])
      }
      for (const mine of [ids.sent, ids.received, 'ownref', ours.id])
        expect([mine, text.includes(mine)]).toEqual([mine, true])
      const get = async (url: string) => (await browser.ask('GET', url)).body
      expect(await get('/admin/fax-jobs')).toMatchObject({ total: 1, total_is_minimum: false, next_cursor: null })
      expect(await get('/admin/fax-jobs?q=ownwordone')).toMatchObject({ total: 1 })
      expect(await get('/admin/fax-jobs?q=foreignword')).toMatchObject({ total: 0, total_is_minimum: false })
      expect(await get('/admin/inbound/count')).toEqual({ total: 1, total_is_minimum: false })
      expect(await get(`/admin/inbound/count?q=${foreign.from.slice(-4)}`)).toEqual({
        total: 0,
        total_is_minimum: false,
      })
    },
  )

  it(
    'a call that names a fax outside answers as for one that never was, and changes nothing',
    { timeout: 180_000 },
    async () => {
      const { gateway, ours, ids } = await twoGroups(await open({ FAX_TEXT: 'true' }))
      const never = await answersFor(ours.browser, '0123456789abcdef0123456789abcdef')
      expect(Object.keys(never).length).toBeGreaterThan(20)
      const before = await gateway.client.getInbound({ params: { id: ids.receivedThere } })
      expect(await answersFor(ours.browser, ids.sentThere)).toEqual(never)
      expect(await answersFor(ours.browser, ids.broadcast)).toEqual(never)
      expect(await answersFor(ours.browser, ids.receivedThere)).toEqual(never)
      expect(await gateway.client.getInbound({ params: { id: ids.receivedThere } })).toEqual(before)
      const mine = await answersFor(ours.browser, ids.received)
      expect(mine['getInboundPdf']).toMatch(/^200 %PDF/)
    },
  )

  it(
    'streams tell a member of the faxes of their groups alone, and end when they leave',
    { timeout: 120_000 },
    async () => {
      const gateway = await open()
      const { app, client } = gateway
      const ours = await groupWith(gateway, { name: 'Ours', number: own.number, person: 'mia' })
      const theirs = await groupWith(gateway, { name: 'Theirs', number: foreign.number, person: 'otto' })
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      const changes = await followed(address, '/admin/events', ours.browser)
      const faxes = await followed(address, '/fax/events', ours.browser)
      const there = await followed(address, '/admin/events', theirs.browser)
      const sentThere = await delivered(gateway, theirs.browser, foreign)
      await receivedOn(gateway, foreign.number, foreign.from)
      await expect.poll(() => there.text, { timeout: 20_000 }).toContain('"inbound"')
      expect(changes.text).not.toContain('change')
      expect(faxes.text).not.toContain('data')
      const sent = await delivered(gateway, ours.browser, own)
      await receivedOn(gateway, own.number, own.from)
      await expect.poll(() => changes.text, { timeout: 20_000 }).toContain('"inbound"')
      await expect.poll(() => faxes.text, { timeout: 20_000 }).toContain(sent)
      expect(changes.text).toContain('"jobs"')
      expect(faxes.text + changes.text).not.toContain(sentThere)
      await client.removeGroupMember({ params: { id: ours.id, person: ours.person.id } })
      await expect.poll(() => [changes.ended, faxes.ended], { timeout: 20_000 }).toEqual([true, true])
    },
  )

  it('nobody sends for a group they are not in', { timeout: 120_000 }, async () => {
    const gateway = await open()
    const ours = await groupWith(gateway, { name: 'Ours', number: own.number, person: 'mia' })
    const theirs = await groupWith(gateway, { name: 'Theirs', number: foreign.number, person: 'otto' })
    const refusal = async (group_id: string) => {
      const { status, body } = await sendAs(ours.browser, { ...own, fields: { group_id } })
      return [status, body.code, body.detail]
    }
    expect(await refusal(theirs.id)).toEqual(await refusal('0123456789ab'))
    expect((await refusal(theirs.id))[0]).toBe(404)
  })
})
