import { expect, it } from 'vitest'
import { onEachGatewayDatabase } from '../../testing/databases.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import type { Browser } from '../../testing/browser.ts'
import { delivered, groupWith, receivedOn } from './testing/two-groups.ts'

const number = '+15555550120'
const never = '0123456789abcdef0123456789abcdef'
const reason = 'Emergency admission'

type Env = Record<string, string>
function onBothDatabases(suite: (open: (env?: Env) => ReturnType<typeof world>) => void): void {
  onEachGatewayDatabase((database) => suite(async (env = {}) => world({ ...(await database()), ...env })))
}

/** A fax sent and one received in a group, and two members of another one. */
async function world(env: Env) {
  const clock = { aheadMs: 0 }
  const now = () => new Date(Date.now() + clock.aheadMs)
  const gateway = await startGateway({ env: { BREAK_GLASS_MINUTES: '10', ...env }, now })
  const theirs = await groupWith(gateway, { name: 'Theirs', number, person: 'otto' })
  const { browser: mia, person } = await groupWith(gateway, { name: 'Ours', number: '+15555550110', person: 'mia' })
  const { browser: max } = await groupWith(gateway, { name: 'Others', number: '+15555550111', person: 'max' })
  const sent = await delivered(gateway, theirs.browser, { to: '+15555559871' })
  const received = await receivedOn(gateway, number, '+15555558866')
  return { gateway, clock, mia, max, otto: theirs.browser, person, sent, received }
}

const openAs = (browser: Browser, id: string, why = reason) =>
  browser.ask('POST', `/admin/faxes/${id}/open`, { json: { reason: why } })

const readsOf = (id: string) => ({
  sent: ['', '/pdf', '/original', '/pages/1', '/receipt']
    .map((part) => `/admin/fax-jobs/${id}${part}`)
    .concat(`/fax/${id}`),
  received: [`/inbound/${id}`, `/inbound/${id}/pdf`, `/inbound/${id}/original`, `/admin/inbound/${id}/pages/1`],
})

const statuses = (browser: Browser, urls: readonly string[]) =>
  Promise.all(urls.map(async (url) => (await browser.ask('GET', url)).status))

/** An answer without what names the very request. */
const answer = async (asked: ReturnType<Browser['ask']>, id: string) => {
  const { status, body } = await asked
  return `${status} ${JSON.stringify({ ...body, request_id: undefined, instance: undefined }).replaceAll(id, 'ID')}`
}

/** Everything of a fax that changes it. */
const changesOf = (id: string): [method: string, url: string, json?: object][] => [
  ['POST', `/admin/fax-jobs/${id}/cancel`],
  ['POST', `/admin/fax-jobs/${id}/refresh`],
  ['POST', `/admin/fax-jobs/${id}/resend`, {}],
  ['POST', `/fax/${id}/resend`, {}],
  ['POST', `/fax/${id}/cancel`],
  ['POST', `/admin/inbound/${id}/read`, { read: true }],
]

const lists = ['/admin/fax-jobs', '/inbound', '/admin/fax-jobs/export.csv', '/admin/inbound/count', '/fax']

onBothDatabases((open) => {
  it('is off unless it is turned on, and then tells nothing of what is there', { timeout: 120_000 }, async () => {
    const { gateway, mia, sent, received } = await open({ BREAK_GLASS_MINUTES: '0' })
    const unknown = await answer(openAs(mia, never), never)
    expect(unknown).toMatch(/^404 .*feature_disabled/)
    for (const id of [sent, received]) expect(await answer(openAs(mia, id), id)).toBe(unknown)
    expect((await gateway.client.getJob({ params: { id: sent } })).openings).toEqual([])
  })

  it('lets a member read one fax until its time is over, and nothing else', { timeout: 120_000 }, async () => {
    const { gateway, clock, mia, max, otto, person, sent, received } = await open()
    const all = [...readsOf(sent).sent, ...readsOf(received).received]
    const before = await Promise.all(lists.map(async (url) => (await mia.ask('GET', url)).body))
    for (const url of all) {
      const unknown = url.replace(sent, never).replace(received, never)
      expect(await answer(mia.ask('GET', url), url.includes(sent) ? sent : received)).toBe(
        await answer(mia.ask('GET', unknown), never),
      )
    }
    expect((await openAs(mia, sent, ' a ')).status).toBe(422)
    const opened = await openAs(mia, sent)
    expect(opened).toMatchObject({ status: 200, body: { direction: 'sent' } })
    expect((await openAs(mia, received)).body).toMatchObject({ direction: 'received' })

    expect(await statuses(mia, all)).toEqual(all.map(() => 200))
    expect(await statuses(max, all)).toEqual(all.map(() => 404))
    expect(await Promise.all(lists.map(async (url) => (await mia.ask('GET', url)).body))).toEqual(before)
    for (const id of [sent, received])
      for (const [method, url, json] of changesOf(id)) {
        const { status } = await mia.ask(method, url, json ? { json } : {})
        expect([url, status]).toEqual([url, 404])
      }
    const download = await mia.ask('POST', '/admin/inbound/download/pdf', { json: { ids: [received] } })
    expect(download.status).toBe(404)
    expect((await mia.ask('GET', `/admin/fax-jobs/${sent}`)).body.actions).toEqual([])

    // Everybody who sees the fax sees who opened it and why.
    const shown = [{ person_id: person.id, name: 'mia', reason, until: opened.body.until }]
    expect((await otto.ask('GET', `/admin/fax-jobs/${sent}`)).body.openings).toMatchObject(shown)
    expect((await otto.ask('GET', `/inbound/${received}`)).body.openings).toMatchObject([{ name: 'mia', reason }])
    const { items } = await gateway.client.listLogs({ query: { event: 'fax_opened_with_reason' } })
    for (const entry of items) expect(entry).toMatchObject({ name: 'mia', reason })
    expect(items).toHaveLength(2)
    expect((await openAs(otto, sent)).status).toBe(409)

    clock.aheadMs = 11 * 60_000
    expect(await statuses(mia, all)).toEqual(all.map(() => 404))
  })

  it('counts and records tries at ids that are not there, ten an hour', { timeout: 120_000 }, async () => {
    const { gateway, clock, mia, max, sent } = await open()
    const ids = Array.from({ length: 11 }, (_, n) => n.toString(16).padStart(32, '0'))
    const tries = await Promise.all(ids.map((id) => openAs(mia, id)))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(404), 429])
    expect((await openAs(mia, sent)).status).toBe(429)
    expect((await openAs(max, sent)).status).toBe(200)
    const { items } = await gateway.client.listLogs({ query: { event: 'fax_opening_missed' } })
    expect(items).toHaveLength(10)
    // Six steps of ten minutes: whoever is idle for longer is signed out.
    for (let step = 1; step <= 6; step++) {
      clock.aheadMs = step * 10 * 60_000 + 60_000
      await mia.ask('POST', '/admin/account/stay')
      await mia.ask('GET', '/admin/account/groups')
    }
    expect((await openAs(mia, sent)).status).toBe(200)
  })
})
