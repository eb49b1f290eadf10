import { describe, expect, it } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { expireInbound } from '../../inbox/inbound/feature.ts'
import { addReceived } from '../../inbox/inbound/testing/received-fax.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { fixedSettings } from '../../testing/test-context.ts'
import { liftHold, listHolds, placeHold } from './holds.ts'

const day = 24 * 3_600_000

/** Faxes received at the start, documents kept for 30 days. */
async function room(database: Database) {
  const desk = await faxDesk(database, makeLine())
  const settings = fixedSettings({ artifact_ttl_days: 30, inbound_retention_days: 30, default_country: 'US' })
  const context = new Proxy(desk.context, {
    get: (given, name) => (name === 'settings' ? settings : (Reflect.get(given, name) as unknown)),
  })
  const { db } = database
  const group = (id: string) => ({ id, name: id, name_key: id, created_at: new Date().toISOString(), created_by: 'x' })
  await db.insertInto('groups').values(['g1', 'g2'].map(group)).execute()
  const at = new Date(deskStart).toISOString()
  const received = (change: Partial<InboundFaxRow> = {}) =>
    addReceived(context, { received_at: at, created_at: at, updated_at: at, ...change })
  const isKept = async (id: string) => {
    const found = await db.selectFrom('inbound_faxes').select('pdf_key').where('id', '=', id).executeTakeFirstOrThrow()
    const stays = await context.storage.exists(`inbound/${id.slice(0, 2)}/${id}.pdf`)
    expect(stays).toBe(found.pdf_key !== null)
    return stays
  }
  return { context, pass: desk.pass, received, areKept: (ids: string[]) => Promise.all(ids.map(isKept)) }
}

const national = ['5555550177', '(555) 555-0177', '1 555 555 0177', '05555550177', '001-555-555-0177'] as const

onEachDatabase((open) => {
  describe('received documents that are past their time', () => {
    it('go by the rule of their group, and leave a record with its days', async () => {
      const database = await open()
      const { context, pass, received, areKept } = await room(database)
      await database.db
        .insertInto('retention_rules')
        .values([
          { direction: 'received', group_id: 'g1', days: 5 },
          { direction: 'received', group_id: 'g2', days: 0 },
          { direction: 'sent', group_id: 'g2', days: 1 },
        ])
        .execute()
      const short = await received({ group_id: 'g1' })
      const all = [short, await received({ group_id: 'g2' }), await received()]
      pass(6 * day)
      await expireInbound(context)
      expect(await areKept(all)).toEqual([false, true, true])
      expect(await context.events.list({ event: 'inbound_deleted', limit: 50 })).toMatchObject([
        { job_id: short, direction: 'received', sha256: 'cd'.repeat(32), pages: 2, reason: 'retention', days: 5 },
      ])
      pass(25 * day)
      await expireInbound(context)
      expect(await areKept(all)).toEqual([false, true, false])
    })

    it('stay while a hold is on their group, and go by its rule when it is lifted', async () => {
      const database = await open()
      const { context, pass, received, areKept } = await room(database)
      await database.db
        .insertInto('retention_rules')
        .values({ direction: 'received', group_id: 'g1', days: 5 })
        .execute()
      const all = [await received({ group_id: 'g1' }), await received()]
      const { id } = await placeHold(context, { kind: 'group', subject: 'g1', reason: 'Case' }, 'bootstrap')
      pass(31 * day)
      await expireInbound(context)
      expect(await areKept(all)).toEqual([true, false])
      await liftHold(context, id, 'Closed', 'bootstrap')
      await expireInbound(context)
      expect(await areKept(all)).toEqual([false, false])
    })

    it.each([
      ['in E.164', '+15555550177'],
      ['nationally', '(555) 555-0177'],
    ])('stay while a hold is on either number, typed %s, however the provider wrote it', async (_how, subject) => {
      const { context, pass, received, areKept } = await room(await open())
      const held = [
        await received({ to_number: '+15555550177' }),
        await received({ from_number: '+1 (555) 555-0177' }),
        ...(await Promise.all(national.map((from_number) => received({ from_number })))),
      ]
      const others = ['+5555550177', '+445555550177', '0177', '_______', 'anonymous', '15555550178', null]
      const free = await Promise.all(others.map((from_number) => received({ from_number })))
      const hold = await placeHold(context, { kind: 'number', subject, reason: 'Case' }, 'bootstrap')
      expect(hold.subject).toBe('+15555550177')
      expect(await listHolds(context, held[2] ?? '')).toMatchObject([{ id: hold.id, subject_name: null }])
      expect(await listHolds(context, free[0] ?? '')).toEqual([])
      pass(31 * day)
      await expireInbound(context)
      expect(await areKept(held)).toEqual(held.map(() => true))
      expect(await areKept(free)).toEqual(free.map(() => false))
      await liftHold(context, hold.id, 'Closed', 'bootstrap')
      await expireInbound(context)
      expect(await areKept(held)).toEqual(held.map(() => false))
    })
  })
})
