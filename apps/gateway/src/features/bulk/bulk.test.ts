import { randomBytes } from 'node:crypto'
import type { BulkKind } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { resendFax } from '../../fax/accept/resend.ts'
import { isHeld } from '../../fax/move/hold.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, refusing } from '../../testing/made-line.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { holdIn } from '../../upkeep/hold.ts'
import { findAble } from './able-jobs.ts'
import { carryOut } from './carry-out.ts'
import { stopBulk } from './feature.ts'
import { findBulk, startBulk } from './start-bulk.ts'

const newId = () => randomBytes(16).toString('hex')

onEachDatabase((open) => {
  /** A desk with `count` faxes that wait, each to another number. */
  const waiting = async (count: number) => {
    const made = makeLine()
    const desk = await faxDesk(await open(), made)
    const submitted = Array.from({ length: count }, (_, n) => desk.submit({ to_number: `+1555555${1000 + n}` }))
    const ids = (await Promise.all(submitted)).map(({ id }) => id)
    const claim = async () => (await desk.context.queue.claim('bulk', 1, 1)).claims[0]
    /** Does the parts that are due, as a worker would. */
    const carryOutAll = async () => {
      const claimed = await claim()
      if (!claimed) return false
      while (await carryOut(desk.context, claimed, new AbortController().signal));
      return true
    }
    const jobs = () => desk.context.database.db.selectFrom('fax_jobs').selectAll().execute()
    return { ...desk, made, ids, claim, carryOutAll, jobs }
  }
  const failed = async (count: number) => {
    const desk = await waiting(count)
    desk.made.answers.push(...desk.ids.map(() => refusing('rejected', 'The account cannot send to this country.')))
    while (await desk.work());
    return desk
  }

  describe('a bulk action', () => {
    it('cancels all that fit and can be canceled, in parts, and counts them', async () => {
      const { context, carryOutAll, jobs } = await waiting(103)
      const asked = { id: newId(), action: 'cancel', filter: { status: 'queued' }, confirmed: 103 } as const
      expect(await startBulk(context, asked, 'k')).toMatchObject({ total: 103, done: 0, finished_at: null })
      expect(await carryOutAll()).toBe(true)
      expect(await findBulk(context, asked.id)).toMatchObject({ done: 103, refused: 0, refusal: null })
      expect((await findBulk(context, asked.id))?.finished_at).not.toBeNull()
      expect((await jobs()).every((job) => job.error_kind === 'cancelled')).toBe(true)
      expect(await context.database.db.selectFrom('bulk_parts').selectAll().execute()).toEqual([])
    })

    it('is begun once, however often it is asked for, also twice at once', async () => {
      const { context, carryOutAll, jobs } = await failed(3)
      const asked = { id: newId(), action: 'resend', filter: { status: 'FAILED' }, confirmed: 3 } as const
      await Promise.all([startBulk(context, asked, 'k'), startBulk(context, asked, 'k')])
      await carryOutAll()
      await startBulk(context, asked, 'k')
      expect(await carryOutAll()).toBe(false)
      expect(await jobs()).toHaveLength(6)
      const other = { ...asked, action: 'cancel' } as const
      await expect(startBulk(context, other, 'k')).rejects.toMatchObject({ code: 'conflict' })
    })

    it('sends nothing twice when the process dies before a part was noted', async () => {
      const { context, claim, jobs } = await failed(4)
      const asked = { id: newId(), action: 'resend', filter: { status: 'FAILED' }, confirmed: 4 } as const
      await startBulk(context, asked, 'k')
      const claimed = await claim()
      if (!claimed) throw new Error('There is no work.')
      // Two workers: one that was thought dead comes back, and has lost its lease when it comes to the end.
      const late = { ...claimed, token: claimed.token - 1 }
      const { signal } = new AbortController()
      await Promise.all([carryOut(context, late, signal), carryOut(context, claimed, signal)])
      await expect(carryOut(context, late, signal)).rejects.toThrow('lease')
      while (await carryOut(context, claimed, signal));
      const all = await jobs()
      expect(all).toHaveLength(8)
      expect(await findBulk(context, asked.id)).toMatchObject({ done: 4, refused: 0 })
      expect(new Set(all.flatMap(({ parent_id: parent }) => parent ?? [])).size).toBe(4)
    })

    it.each(['resend', 'release'] as const)(
      'that was stopped sends nothing after the answer, and has counted what it sent: %s',
      async (action) => {
        const { context, claim } = await (action === 'resend' ? failed(40) : waiting(40))
        if (action === 'release') await holdIn(context.database, undefined, context.now)
        const filter = { status: action === 'resend' ? 'FAILED' : 'held' } as const
        const asked = { id: newId(), action, filter, confirmed: 40 } as const
        await startBulk(context, asked, 'k')
        const claimed = await claim()
        if (!claimed) throw new Error('There is no work.')
        const sent = async () => {
          const rows = await context.database.db.selectFrom('fax_jobs').select(['parent_id', 'hold']).execute()
          return rows.filter((row) => (action === 'resend' ? row.parent_id !== null : row.hold === null)).length
        }
        const working = carryOut(context, claimed, new AbortController().signal)
        await expect.poll(sent, { interval: 1, timeout: 20_000 }).toBeGreaterThan(0)
        const answer = await stopBulk(context, asked.id, 'ben')
        const sentThen = await sent()
        await working
        expect(await sent()).toBe(sentThen)
        expect(sentThen).toBeLessThan(40)
        expect(answer).toMatchObject({ done: sentThen, refused: 0 })
        expect(await findBulk(context, asked.id)).toEqual(answer)
      },
    )

    it('that an earlier version began, with many faxes to a part, is gone on with', async () => {
      const { context, carryOutAll, jobs } = await failed(3)
      const asked = { id: newId(), action: 'resend', filter: { status: 'FAILED' }, confirmed: 3 } as const
      await startBulk(context, asked, 'k')
      const ids = (await jobs()).map(({ id }) => id)
      const { db } = context.database
      await db.deleteFrom('bulk_parts').execute()
      await db
        .insertInto('bulk_parts')
        .values({ bulk_id: asked.id, n: 1, job_ids: ids.join(',') })
        .execute()
      while (await carryOutAll());
      expect(await jobs()).toHaveLength(6)
      expect(await findBulk(context, asked.id)).toMatchObject({ done: 3, refused: 0 })
    })

    it('leaves out what was sent again already', async () => {
      const { context, carryOutAll } = await failed(2)
      const again = { action: 'resend', filter: { status: 'FAILED' }, confirmed: 2 } as const
      await startBulk(context, { ...again, id: newId() }, 'k')
      await carryOutAll()
      expect((await findAble(context, 'resend', { status: 'FAILED' })).ids).toEqual([])
      await expect(startBulk(context, { ...again, id: newId() }, 'k')).rejects.toMatchObject({ code: 'conflict' })
    })

    it('sends each fax once when two people begin the same at once', async () => {
      const { context, carryOutAll, jobs } = await failed(3)
      const again = { action: 'resend', filter: { status: 'FAILED' }, confirmed: 3 } as const
      const ids = [newId(), newId()]
      await Promise.all(ids.map((id) => startBulk(context, { ...again, id }, 'k')))
      while (await carryOutAll());
      expect(await jobs()).toHaveLength(6)
      for (const id of ids) expect(await findBulk(context, id)).toMatchObject({ done: 3, refused: 0 })
    })

    it('sends no fax again that somebody else sends again in the same moment', async () => {
      const { context, ids, jobs } = await failed(1)
      const [id = ''] = ids
      const by = (callerKeyId: string) => ({ callerKeyId, idempotencyKey: undefined })
      const unlessSince = context.now().toISOString()
      const both = await Promise.allSettled([
        resendFax(context, id, by('anna')),
        resendFax(context, id, { ...by('ben'), unlessSince }),
      ])
      expect(await jobs()).toHaveLength(1 + both.filter(({ status }) => status === 'fulfilled').length)
      const late = resendFax(context, id, { ...by('ben'), unlessSince })
      await expect(late).rejects.toMatchObject({ code: 'conflict', message: 'This fax was sent again meanwhile.' })
      await resendFax(context, id, by('anna'), { force: true })
    })

    it.each([
      ['a number that is not in service', { error_kind: 'bad_number' }],
      ['a fax that was delivered', { status: 'SUCCESS', phase: 'delivered' }],
    ] as const)('leaves out %s, unless it is forced', async (_, change) => {
      const { context, ids, carryOutAll, jobs } = await failed(2)
      const [first = ''] = ids
      await context.database.db.updateTable('fax_jobs').set(change).where('id', '=', first).execute()
      expect((await findAble(context, 'resend', {})).ids).toEqual(ids.slice(1))
      const able = await findAble(context, 'resend', {}, { force: true })
      expect(able.ids.toSorted()).toEqual(ids.toSorted())
      await startBulk(context, { id: newId(), action: 'resend', filter: {}, confirmed: 2, force: true }, 'k')
      await carryOutAll()
      expect(await jobs()).toHaveLength(4)
    })

    it('that sends is not gone on with in a database that was restored, and says so', async () => {
      const { context, carryOutAll, jobs } = await failed(3)
      const asked = { id: newId(), action: 'resend', filter: { status: 'FAILED' }, confirmed: 3 } as const
      await startBulk(context, asked, 'k')
      await holdIn(context.database, undefined, context.now)
      expect(await carryOutAll()).toBe(true)
      expect(await jobs()).toHaveLength(3)
      expect(await findBulk(context, asked.id)).toMatchObject({
        done: 0,
        refused: 3,
        refusal: expect.stringContaining('restored from a backup') as unknown,
      })
      expect(await carryOutAll()).toBe(false)
    })

    it('that released held faxes releases none of those that a restore holds again; one that cancels goes on', async () => {
      const { context, carryOutAll, jobs } = await waiting(2)
      await holdIn(context.database, undefined, context.now)
      const held = { filter: { status: 'held' }, confirmed: 2 } as const
      await startBulk(context, { ...held, id: newId(), action: 'release' }, 'k')
      await holdIn(context.database, undefined, context.now)
      while (await carryOutAll());
      expect((await jobs()).every(isHeld)).toBe(true)
      await startBulk(context, { ...held, id: newId(), action: 'cancel' }, 'k')
      await holdIn(context.database, undefined, context.now)
      while (await carryOutAll());
      expect((await jobs()).map(({ error_kind: kind }) => kind)).toEqual(['cancelled', 'cancelled'])
    })

    it('never changes more than a person agreed to', async () => {
      const { context, jobs } = await waiting(5)
      const asked = { id: newId(), action: 'cancel', filter: {}, confirmed: 4 } as const
      await expect(startBulk(context, asked, 'k')).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('More than the 4 faxes') as unknown,
      })
      expect((await jobs()).every(({ phase }) => phase === 'queued')).toBe(true)
    })

    it('leaves a fax that has changed meanwhile, and says why', async () => {
      const { context, carryOutAll, work } = await waiting(1)
      const asked = { id: newId(), action: 'cancel', filter: {}, confirmed: 1 } as const
      await startBulk(context, asked, 'k')
      await work()
      await carryOutAll()
      expect(await findBulk(context, asked.id)).toMatchObject({
        done: 0,
        refused: 1,
        refusal: 'The provider has accepted the fax and can’t cancel it.',
      })
    })
  })
})

describe('the calls of bulk actions', () => {
  it('count, begin, follow and stop one, and record who began it', async () => {
    const { client } = await startGateway({ env: { LANE_CONCURRENCY: '1' } })
    const file = () => new File(['Results'], 'letter.txt')
    // Busy: it waits for its next try, and can be sent again by nobody.
    const { id: job } = await client.submitFax({ form: { to: '+15555550100', file: file() } })
    await expect
      .poll(async () => (await client.getJob({ params: { id: job } })).error_kind, { timeout: 15_000 })
      .toBe('busy')
    const count = async (action: BulkKind) => (await client.countBulk({ query: { action } })).count
    expect([await count('cancel'), await count('resend'), await count('release')]).toEqual([1, 0, 0])
    const body = { id: newId(), action: 'cancel', filter: {}, confirmed: 1 } as const
    expect(await client.createBulk({ body })).toMatchObject({ total: 1 })
    const follow = () => client.getBulk({ params: { id: body.id } })
    await expect.poll(async () => (await follow()).finished_at, { timeout: 15_000 }).not.toBeNull()
    expect(await follow()).toMatchObject({ done: 1, refused: 0 })
    expect(await client.stopBulk({ params: { id: body.id } })).toMatchObject({ done: 1 })
    const { items } = await client.listLogs({ query: { event: 'bulk_started' } })
    expect(items).toMatchObject([{ event: 'bulk_started', key_id: 'bootstrap' }])
    await expect(client.getBulk({ params: { id: newId() } })).rejects.toMatchObject({ status: 404 })
  })
})
