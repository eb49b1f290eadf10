import { describe, expect, it } from 'vitest'
import { transact } from '../../base/db/transact.ts'
import type { Database } from '../../base/db/database.ts'
import { expireFaxes } from '../../fax/expire.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { fixedSettings } from '../../testing/test-context.ts'
import { lockHolds } from './held.ts'
import { liftHold, listHolds, placeHold } from './holds.ts'
import { finishRemovals, recordRemoval } from './removals.ts'

const day = 24 * 3_600_000

/** Faxes that ended at the start, documents kept for 30 days. */
async function room(database: Database) {
  const desk = await faxDesk(database, makeLine())
  const settings = fixedSettings({ artifact_ttl_days: 30, inbound_retention_days: 30, default_country: 'US' })
  const context = new Proxy(desk.context, {
    get: (given, name) => (name === 'settings' ? settings : (Reflect.get(given, name) as unknown)),
  })
  const ended = { phase: 'delivered', status: 'SUCCESS', finished_at: new Date(deskStart).toISOString() } as const
  const keyOf = async (id: string) => (await desk.jobOf(id)).document_key
  return {
    context,
    pass: desk.pass,
    ended: async (change: object = {}) => {
      const { id } = await desk.submit({ document_sha256: 'ab'.repeat(32), ...change })
      await database.db.updateTable('fax_jobs').set(ended).where('id', '=', id).execute()
      return id
    },
    keyOf,
    isKept: async (id: string) => (await keyOf(id)) !== null,
    deletions: () => context.events.list({ event: 'document_removed', limit: 50 }),
  }
}

onEachDatabase((open) => {
  describe('documents that are past their time', () => {
    it('go, and leave a record of what they were', async () => {
      const { context, pass, ended, keyOf, isKept, deletions } = await room(await open())
      const id = await ended()
      const key = (await keyOf(id)) ?? ''
      pass(29 * day)
      await expireFaxes(context)
      expect(await isKept(id)).toBe(true)
      pass(2 * day)
      await expireFaxes(context)
      expect(await isKept(id)).toBe(false)
      expect(await context.storage.exists(key)).toBe(false)
      expect(await deletions()).toMatchObject([
        { job_id: id, direction: 'sent', sha256: 'ab'.repeat(32), pages: 1, reason: 'retention', days: 30 },
      ])
    })

    it('go by the rule of their group, where there is one', async () => {
      const database = await open()
      const { context, pass, ended, isKept } = await room(database)
      const rules = [
        { direction: 'sent', group_id: 'short', days: 5 },
        { direction: 'sent', group_id: 'forever', days: 0 },
        { direction: 'received', group_id: 'long', days: 1 },
      ] as const
      await database.db
        .insertInto('retention_rules')
        .values([...rules])
        .execute()
      const [short, forever, other, none] = [
        await ended({ group_id: 'short' }),
        await ended({ group_id: 'forever' }),
        await ended({ group_id: 'long' }),
        await ended(),
      ]
      pass(6 * day)
      await expireFaxes(context)
      expect(await Promise.all([short, forever, other, none].map(isKept))).toEqual([false, true, true, true])
      pass(30 * day)
      await expireFaxes(context)
      expect(await Promise.all([short, forever, other, none].map(isKept))).toEqual([false, true, false, false])
    })

    it('go at the next round when a crash came after the record', async () => {
      const database = await open()
      const { context } = await room(database)
      await context.storage.put('faxes/aa/left', Buffer.from('x'))
      await transact(database, (tx) => recordRemoval(tx, ['faxes/aa/left'], new Date()))
      await finishRemovals(context)
      expect(await context.storage.exists('faxes/aa/left')).toBe(false)
      expect(await database.db.selectFrom('document_removals').selectAll().execute()).toEqual([])
    })
  })

  describe('a legal hold', () => {
    it('keeps what it is about until it is lifted, and is recorded', async () => {
      const database = await open()
      const { context, pass, ended, isKept } = await room(database)
      const group = { id: 'g1', name: 'Ward', name_key: 'ward', created_at: new Date().toISOString(), created_by: 'x' }
      await database.db.insertInto('groups').values(group).execute()
      const [fax, toNumber, ofGroup, ofKey, free] = [
        await ended(),
        await ended({ to_number: '+15555550177' }),
        await ended({ group_id: 'g1' }),
        await ended({ caller_key_id: 'bootstrap' }),
        await ended(),
      ]
      const hold = (kind: 'fax' | 'number' | 'group' | 'key', subject: string) =>
        placeHold(context, { kind, subject, reason: 'Case 2026-117' }, 'bootstrap')
      const placed = [
        await hold('fax', fax),
        await hold('number', toNumber),
        await hold('group', 'g1'),
        await hold('key', 'bootstrap'),
      ]
      pass(31 * day)
      await expireFaxes(context)
      expect(await Promise.all([fax, toNumber, ofGroup, ofKey, free].map(isKept))).toEqual([
        true,
        true,
        true,
        true,
        false,
      ])
      const onFax = async (id: string) => (await listHolds(context, id)).map((each) => each.id)
      expect(await Promise.all([fax, toNumber, ofGroup, ofKey, free].map(onFax))).toEqual([
        ...placed.map(({ id }) => [id]),
        [],
      ])
      for (const { id } of placed) await liftHold(context, id, 'Closed', 'bootstrap')
      await expireFaxes(context)
      expect(await Promise.all([fax, toNumber, ofGroup, ofKey].map(isKept))).toEqual([false, false, false, false])
      for (const [event, count] of [
        ['hold_placed', 4],
        ['hold_lifted', 4],
      ] as const)
        expect(await context.events.list({ event, limit: 50 })).toHaveLength(count)
      await expect(liftHold(context, placed[0]?.id ?? '', 'Again', 'bootstrap')).rejects.toMatchObject({
        code: 'conflict',
      })
    })

    it('is refused on what is not there', async () => {
      const { context } = await room(await open())
      for (const [kind, subject, code] of [
        ['fax', 'f'.repeat(32), 'fax_not_found'],
        ['number', '0555', 'bad_number'],
        ['group', 'none', 'not_found'],
        ['person', '3f2a9c0b7d5e', 'person_not_found'],
        ['key', '3f2a9c0b7d5e', 'key_not_found'],
      ] as const) {
        const placed = placeHold(context, { kind, subject, reason: 'Case' }, 'bootstrap')
        await expect(placed).rejects.toMatchObject({ code })
      }
    })

    it('that is placed while documents expire keeps each document whose deletion is not recorded', async () => {
      const { context, pass, ended, keyOf, deletions } = await room(await open())
      const ids = []
      for (let count = 0; count < 12; count++) ids.push(await ended({ to_number: '+15555550177' }))
      const keys = await Promise.all(ids.map(keyOf))
      pass(31 * day)
      const subject = { kind: 'number', subject: '+15555550177', reason: 'Case' } as const
      await Promise.all([expireFaxes(context), placeHold(context, subject, 'bootstrap')])
      const recorded = new Set((await deletions()).map((entry) => entry.job_id))
      for (const [at, id] of ids.entries()) {
        expect([id, (await keyOf(id)) === null]).toEqual([id, recorded.has(id)])
        expect(await context.storage.exists(keys[at] ?? '')).toBe(!recorded.has(id))
      }
    })

    it('waits for a deletion that has looked for holds already', async () => {
      const database = await open()
      if (database.engine === 'sqlite') return
      const { context, ended } = await room(database)
      const subject = await ended()
      const order: string[] = []
      await Promise.all([
        transact(database, async (tx) => {
          await lockHolds(tx, database.engine, 'shared')
          await new Promise((resolve) => setTimeout(resolve, 300))
          order.push('deleted')
        }),
        new Promise((resolve) => setTimeout(resolve, 100))
          .then(() => placeHold(context, { kind: 'fax', subject, reason: 'Case' }, 'bootstrap'))
          .then(() => order.push('held')),
      ])
      expect(order).toEqual(['deleted', 'held'])
    })
  })
})
