import { describe, expect, it } from 'vitest'
import { report } from '../../fax/line/report.ts'
import { testAccountInUse } from '../../fax/read/test-account.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, providerIdOf } from '../../testing/made-line.ts'
import { through } from '../../testing/through-emulator.ts'

describe('an account of Phaxio with test keys', () => {
  it('delivers nothing: everything that speaks of the fax says so, and of the account too', async () => {
    const { client, send, job } = await through('phaxio', {}, { isTestAccount: true })
    expect((await client.getConfig({})).test_account).toBeNull()
    const id = await send('+15555550123')
    await expect.poll(async () => (await job(id)).status, { timeout: 20_000 }).toBe('SUCCESS')
    const { test, timeline } = await job(id)
    expect(test).toBe(true)
    const said = timeline.map(({ sentence }) => sentence)
    expect(said.at(-1)).toMatch(/^Test only: no fax was sent\. Phaxio ended it as delivered/)
    expect(said.filter((sentence) => sentence.startsWith('Delivered'))).toEqual([])
    expect((await client.getFax({ params: { id } })).test).toBe(true)
    expect(await (await client.exportJobs({ query: {} })).text()).toContain('yes: not sent')
    const { items } = await client.listLogs({ query: { event: 'job_updated' } })
    expect(items.find(({ state }) => state === 'delivered')).toMatchObject({ test: true })
    expect((await client.getActivity({ query: {} })).hours.map(({ delivered }) => delivered)).not.toContain(1)
    expect((await client.getConfig({})).test_account).toBe('Phaxio')
    const { problem, backend_healthy } = await client.getHealthStatus({})
    expect([problem, backend_healthy]).toEqual([
      'This account is in test mode: Phaxio sends no real fax. To send real faxes, enter live credentials under Settings.',
      false,
    ])
  })

  it('with live keys does deliver, and nobody speaks of tests', async () => {
    const { client, send, job } = await through('phaxio')
    const id = await send('+15555550123')
    await expect.poll(async () => (await job(id)).status, { timeout: 20_000 }).toBe('SUCCESS')
    expect(await job(id)).toMatchObject({ test: false })
    expect((await job(id)).timeline.at(-1)?.sentence).toMatch(/^Delivered/)
    expect((await client.getConfig({})).test_account).toBeNull()
    expect((await client.getHealthStatus({})).problem).toBeNull()
  })
})

onSqliteFirst((open) => {
  describe('an account in test mode', () => {
    it('by its settings makes a test of each fax from the start, until another account is used', async () => {
      const made = makeLine()
      made.provider.isTestAccount = () => made.account === 'sandbox'
      made.account = 'sandbox'
      made.answers.push(async () => ({ state: 'delivered' }))
      const desk = await faxDesk(await open(), made)
      const { id } = await desk.submit()
      await desk.work()
      expect(await desk.jobOf(id)).toMatchObject({ status: 'SUCCESS', is_test: 1 })
      expect(await testAccountInUse(desk.context)).toBe('Made line')
      made.account = 'live'
      expect(await testAccountInUse(desk.context)).toBeNull()
      const second = await desk.submit({ to_number: '+15555550124' })
      await desk.work()
      expect(await desk.jobOf(second.id)).toMatchObject({ is_test: 0 })
    })

    it('that says so late still delivered nothing, and a later word does not undo that', async () => {
      const made = makeLine()
      made.answers.push(async () => ({ state: 'delivered' }))
      const desk = await faxDesk(await open(), made)
      const { id } = await desk.submit()
      await desk.work()
      const [fax] = made.handed
      const told = { providerId: providerIdOf(fax?.attemptId ?? ''), state: 'delivered' } as const
      for (const isTest of [true, false, true]) await report(desk.context, 'made', { ...told, isTest })
      expect(await desk.jobOf(id)).toMatchObject({ status: 'SUCCESS', is_test: 1 })
      const timeline = await desk.context.database.db
        .selectFrom('fax_timeline')
        .select('sentence')
        .where('job_id', '=', id)
        .where('event', '=', 'test')
        .execute()
      expect(timeline).toEqual([{ sentence: 'Test only: no fax was sent.' }])
      const hours = await desk.context.database.db.selectFrom('activity_hours').selectAll().execute()
      expect(hours).toMatchObject([{ delivered: 0, test_delivered: 1 }])
    })
  })
})
