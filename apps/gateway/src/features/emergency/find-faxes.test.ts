import { expect, it } from 'vitest'
import { delivered, groupWith, onBothDatabases, receivedOn } from '../../access/groups/testing/two-groups.ts'
import type { Browser } from '../../testing/browser.ts'

const reason = 'Emergency admission'
const search = (browser: Browser, asked: object) =>
  browser.ask('POST', '/admin/faxes/find', { json: { reason, ...asked } })

onBothDatabases((open) => {
  it('finds faxes of other groups by number, day and words, with nothing of their content, and records each search', async () => {
    const gateway = await open({ BREAK_GLASS_MINUTES: '10' })
    const theirs = await groupWith(gateway, { name: 'Theirs', number: '+15555550120', person: 'otto' })
    const { browser: mia } = await groupWith(gateway, { name: 'Ours', number: '+15555550110', person: 'mia' })
    const sent = await delivered(gateway, theirs.browser, { to: '+15555559871', word: 'Potassium' })
    const received = await receivedOn(gateway, '+15555550120', '+15555558866')
    const idsOf = async (asked: object) => {
      const { status, body } = await search(mia, asked)
      expect(status).toBe(200)
      return (body.faxes as { id: string }[]).map(({ id }) => id)
    }
    const { body } = await search(mia, { number: '(555) 555-9871' })
    // The test line delivers a fax to this gateway as well.
    const [found, ...others] = (body.faxes as { direction: string }[]).filter(({ direction }) => direction === 'sent')
    const whole = { id: sent, direction: 'sent', at: expect.any(String), number: '********9871', pages: 1 }
    expect([found, others, body.more]).toEqual([{ ...whole, visible: false }, [], false])
    expect(await idsOf({ number: '+15555558866' })).toEqual([received])
    expect(await idsOf({ number: '+15555559871', until: '2020-01-01T00:00:00.000Z' })).toEqual([])
    const { items } = await gateway.client.listLogs({ query: { event: 'fax_search_with_reason' } })
    expect(items).toHaveLength(3)
    expect(items[0]).toMatchObject({ name: 'mia', reason, to: '********9871' })
    expect(JSON.stringify(items)).not.toContain('5555559871')
    // What was found is opened as ever, and read then.
    expect((await mia.ask('POST', `/admin/faxes/${sent}/open`, { json: { reason } })).status).toBe(200)
    expect((await mia.ask('GET', `/admin/fax-jobs/${sent}`)).status).toBe(200)
  })

  it('counts as a try to open a fax, wants a reason and something to look for, and is off with emergency access', async () => {
    const gateway = await open({ BREAK_GLASS_MINUTES: '10' })
    const { browser: mia } = await groupWith(gateway, { name: 'Ours', number: '+15555550110', person: 'mia' })
    expect((await search(mia, {})).status).toBe(422)
    expect((await search(mia, { reason: 'x', number: '+15555559871' })).status).toBe(422)
    const tries = []
    for (let n = 0; n < 11; n++) tries.push((await search(mia, { words: 'potassium level' })).status)
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    await gateway.client.updateSettings({ body: { break_glass_minutes: 0 } })
    expect((await search(mia, { number: '+15555559871' })).body).toMatchObject({ code: 'feature_disabled' })
    const { items } = await gateway.client.listLogs({ query: { event: 'fax_search_with_reason', limit: 1 } })
    expect(items).toMatchObject([{ words: true }])
    expect(JSON.stringify(items)).not.toContain('potassium')
  })
})
