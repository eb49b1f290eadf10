import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoredCover } from '../../paper/pages/cover.ts'
import { signedIn } from '../../testing/browser.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { delivered, groupWith, onBothDatabases, receivedOn, sendAs } from './testing/two-groups.ts'

const ward = { name: 'Ward 3B', number: '+15555550110', person: 'mia' }

onBothDatabases((open) => {
  describe('a group', () => {
    it('is created once by its name, renamed and deleted, and the trail says by whom', async () => {
      const { client } = await open()
      const group = await client.createGroup({ body: { name: 'Ward 3B' } })
      expect(group).toMatchObject({ name: 'Ward 3B', numbers: [], members: [] })
      const names = [' ward 3b ', 'WARD 3B']
      const twins = await Promise.allSettled(names.map((name) => client.createGroup({ body: { name } })))
      const refused = { status: 'rejected', reason: expect.objectContaining({ status: 409 }) }
      expect(twins).toEqual([refused, refused])
      const params = { id: group.id }
      expect(await client.renameGroup({ params, body: { name: 'Ward 3C' } })).toMatchObject({ name: 'Ward 3C' })
      await client.deleteGroup({ params })
      expect(await client.listGroups({})).toEqual([])
      await expect(client.deleteGroup({ params })).rejects.toMatchObject({ status: 404 })
      const { items } = await client.listLogs({ query: {} })
      const events = items.map(({ event }) => event).filter((event) => event.startsWith('group_'))
      expect(events).toEqual(['group_deleted', 'group_renamed', 'group_created'])
    })

    it('owns a number alone, also when two groups ask for it at once', async () => {
      const { client } = await open()
      const a = await client.createGroup({ body: { name: 'A' } })
      const b = await client.createGroup({ body: { name: 'B' } })
      const both = await Promise.allSettled(
        [a, b].map(({ id }) => client.addGroupNumber({ params: { id, number: '+15555550110' } })),
      )
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const [owner] = (await client.listGroups({})).filter(({ numbers }) => numbers.length > 0)
      expect(owner?.numbers).toEqual(['+15555550110'])
      const again = await client.addGroupNumber({ params: { id: owner?.id ?? '', number: '(555) 555-0110' } })
      expect(again.numbers).toEqual(['+15555550110'])
      const wrong = client.addGroupNumber({ params: { id: a.id, number: 'desk' } })
      await expect(wrong).rejects.toMatchObject({ status: 400 })
    })
  })

  describe('the number that a group sends from', () => {
    it('is one of its own, and none when it is removed or the group sends from that of the line', async () => {
      const { client } = await open()
      const { id } = await client.createGroup({ body: { name: 'Ward 3B' } })
      const number = '+15555550110'
      const set = (value: string | null) => client.setGroupCallingNumber({ params: { id }, body: { number: value } })
      await expect(set(number)).rejects.toMatchObject({ status: 409 })
      expect(await client.addGroupNumber({ params: { id, number } })).toMatchObject({ calling_number: null })
      expect(await set('(555) 555-0110')).toMatchObject({ calling_number: number })
      expect(await set(number)).toMatchObject({ calling_number: number })
      expect(await client.removeGroupNumber({ params: { id, number } })).toMatchObject({ calling_number: null })
      await client.addGroupNumber({ params: { id, number } })
      await set(number)
      expect(await set(null)).toMatchObject({ calling_number: null })
      const { items } = await client.listLogs({ query: { event: 'group_calling_number_set' } })
      expect(items.map((entry) => entry.number ?? null)).toEqual([null, number, number])
    })
  })

  describe('a fax', () => {
    it('belongs to the group of the number that was called, however the provider writes it', async () => {
      const gateway = await open()
      const { id } = await groupWith(gateway, ward)
      const groupOf = async (to: string) => {
        const fax = await receivedOn(gateway, to, '+15555558866')
        return (await gateway.client.getInbound({ params: { id: fax } })).group_id
      }
      expect(await groupOf('+15555550110')).toBe(id)
      expect(await groupOf('15555550110')).toBe(id)
      expect(await groupOf('5555550110')).toBe(id)
      expect(await groupOf('+15555550111')).toBeNull()
    })

    it('stays with its group when the number moves to another one', async () => {
      const gateway = await open()
      const { client } = gateway
      const { id } = await groupWith(gateway, ward)
      const before = await receivedOn(gateway, ward.number, '+15555558866')
      const next = await client.createGroup({ body: { name: 'Ward 4' } })
      await client.removeGroupNumber({ params: { id, number: ward.number } })
      await client.addGroupNumber({ params: { id: next.id, number: ward.number } })
      const after = await receivedOn(gateway, ward.number, '+15555558866')
      const groupOf = async (fax: string) => (await client.getInbound({ params: { id: fax } })).group_id
      expect([await groupOf(before), await groupOf(after)]).toEqual([id, next.id])
      const listed = await client.listInbound({ query: { group: next.id } })
      expect(listed.map((fax) => fax.id)).toEqual([after])
    })

    it('is sent for the only group of its sender, or the one they choose', { timeout: 60_000 }, async () => {
      const gateway = await open()
      const { client } = gateway
      const { id, browser, person } = await groupWith(gateway, ward)
      const groupOf = async (fax: string) => (await client.getJob({ params: { id: fax } })).group_id
      const letter = { to: '+15555557712' }
      const first = await delivered(gateway, browser, letter)
      expect(await groupOf(first)).toBe(id)
      const second = await client.createGroup({ body: { name: 'Ward 4' } })
      await client.addGroupMember({ params: { id: second.id, person: person.id } })
      expect(await groupOf(await delivered(gateway, browser, letter))).toBeNull()
      const chosen = await delivered(gateway, browser, { ...letter, fields: { group_id: second.id } })
      expect(await groupOf(chosen)).toBe(second.id)
      expect(await groupOf(first)).toBe(id)
      const again = await client.resendJob({ params: { id: chosen }, body: {} })
      expect(again.group_id).toBe(second.id)
      const { body } = await browser.ask('GET', '/admin/fax-jobs?group=' + second.id)
      expect(body.total).toBe(2)
      const deal = { to: '', fields: { recipients: '+15555557712\n+15555557713', group_id: id } }
      const { body: broadcast } = await sendAs(browser, deal, '/fax/broadcasts')
      const { jobs } = await client.listJobs({ query: { broadcast: broadcast.id } })
      expect(jobs.map(({ group_id: group }) => group)).toEqual([id, id])
    })
  })

  describe('a member', () => {
    it(
      'sees what the others of the group send and receive, page by page, and each fax once',
      { timeout: 60_000 },
      async () => {
        const gateway = await open()
        const { client } = gateway
        const { id, browser } = await groupWith(gateway, ward)
        const max = await signedIn(gateway, 'sender', 'max')
        await client.addGroupMember({ params: { id, person: max.person.id } })
        const other = await client.createGroup({ body: { name: 'Ward 4' } })
        const sent = [
          await delivered(gateway, browser, { to: '+15555557712' }),
          await delivered(gateway, max.browser, { to: '+15555557713' }),
          await delivered(gateway, browser, { to: '+15555557714' }),
        ]
        const seen: string[] = []
        for (let cursor = ''; ;) {
          const { body } = await browser.ask('GET', `/admin/fax-jobs?limit=1${cursor && `&cursor=${cursor}`}`)
          expect(body.total).toBe(3)
          seen.push(...body.jobs.map((job: { id: string }) => job.id))
          if (body.next_cursor === null) break
          cursor = body.next_cursor
        }
        expect(seen).toEqual(sent.toReversed())
        for (const sort of ['pages', 'ended', 'updated']) {
          const { body } = await browser.ask('GET', `/admin/fax-jobs?sort=${sort}&q=`)
          expect([sort, body.jobs.length]).toEqual([sort, 3])
        }
        expect((await max.browser.ask('GET', '/admin/fax-jobs')).body.total).toBe(1)
        expect((await browser.ask('GET', '/admin/account/groups')).body).toEqual([
          { id, name: 'Ward 3B', member: true },
        ])
        expect(await client.listOwnGroups({})).toHaveLength(2)
        await client.deleteGroup({ params: { id } })
        expect((await browser.ask('GET', '/admin/fax-jobs')).body.total).toBe(2)
        expect((await client.listJobs({ query: {} })).total).toBe(3)
        expect(other.members).toEqual([])
      },
    )

    it('downloads, marks and searches received faxes of the group alone', async () => {
      const gateway = await open()
      const { client } = gateway
      const { browser } = await groupWith(gateway, ward)
      expect((await browser.ask('GET', '/admin/fax-jobs?q=anything')).body).toMatchObject({ jobs: [], total: 0 })
      expect((await browser.ask('GET', '/inbound?q=anything')).body).toEqual([])
      const mine = await receivedOn(gateway, ward.number, '+15555558866')
      const foreign = await receivedOn(gateway, '+15555550199', '+15555558867')
      const marked = await browser.ask('POST', '/admin/inbound/read', { json: { ids: [mine, foreign], read: true } })
      expect(marked.body).toEqual({ changed: 1 })
      await client.markManyInboundRead({ body: { ids: [mine, foreign], read: false } })
      const until = new Date(Date.now() + 60_000).toISOString()
      expect((await browser.ask('POST', '/admin/inbound/read-all', { json: { until } })).body).toEqual({ changed: 1 })
      expect((await client.getInbound({ params: { id: foreign } })).read_at).toBeNull()
      const zip = await browser.ask('POST', '/admin/inbound/download/zip', { json: { ids: [mine] } })
      expect(zip.status).toBe(200)
      const { body } = await browser.ask('GET', '/inbound')
      expect(body.map((fax: { id: string }) => fax.id)).toEqual([mine])
    })
  })
})

it('the cover page of a fax has the number that its group sends from', { timeout: 60_000 }, async () => {
  const gateway = await startGateway({ env: { FAX_COVER: 'plain', FAX_HEADER_NUMBER: '+15555550100' } })
  const { client, directory } = gateway
  const { id, browser } = await groupWith(gateway, ward)
  const first = await delivered(gateway, browser, { to: '+15555557712' })
  await client.setGroupCallingNumber({ params: { id }, body: { number: ward.number } })
  const second = await delivered(gateway, browser, { to: '+15555557712' })
  const database = new DatabaseSync(join(directory, 'faxdeck.db'), { readOnly: true })
  onTestFinished(() => database.close())
  const numberOn = (fax: string) =>
    (JSON.parse(String(database.prepare('select cover from fax_jobs where id = ?').get(fax)?.cover)) as StoredCover)
      .fromNumber
  expect([first, second].map(numberOn)).toEqual(['+1 555 555 0100', '+1 555 555 0110'])
})

it('the preview of a fax shows the number that its group sends from, as the page that is sent has it', async () => {
  const now = () => new Date('2026-11-23T12:00:00.000Z')
  const gateway = await startGateway({ env: { FAX_HEADER_LINE: 'true', FAX_HEADER_NUMBER: '+15555550100' }, now })
  const { client } = gateway
  const { id: group } = await groupWith(gateway, ward)
  await client.setGroupCallingNumber({ params: { id: group }, body: { number: ward.number } })
  const file = new File(['Dear all'], 'letter.txt', { type: 'text/plain' })
  const { id: document } = await client.createPreview({ form: { file } })
  const bytesOf = async (image: Promise<Blob>) => Buffer.from(await (await image).arrayBuffer())
  const shown = (group_id?: string) =>
    bytesOf(client.getPreviewPage({ params: { id: document, page: 1 }, query: group_id ? { group_id } : {} }))
  const sent = async (group_id?: string) => {
    const { id } = await client.submitFax({ form: { to: '+15555557712', file, ...(group_id && { group_id }) } })
    await expect.poll(async () => (await client.getJob({ params: { id } })).status, { timeout: 60_000 }).toBe('SUCCESS')
    return bytesOf(client.getJobPage({ params: { id, page: 1 }, query: {} }))
  }
  const [forNobody, forGroup] = [await shown(), await shown(group)]
  expect(forGroup.equals(forNobody)).toBe(false)
  expect((await sent()).equals(forNobody)).toBe(true)
  expect((await sent(group)).equals(forGroup)).toBe(true)
})
