import { describe, expect, it } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { insertAll } from '../../base/db/insert-all.ts'
import { Events } from '../../base/events/events.ts'
import { untried } from '../../fax/accept/accept.ts'
import { reverseDigits } from '../../base/number.ts'
import { findFaxes } from '../../paper/page-text/find.ts'
import { tokensOfNumber } from '../../paper/page-text/fold.ts'
import { newPage } from '../../paper/page-text/store.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { fixedSettings, testContext } from '../../testing/test-context.ts'
import { respellNumbers } from './respell.ts'

const at = '2026-03-01T12:00:00.000Z'
const id = (n: number) => n.toString(16).padStart(32, '0')

const received = (n: number, from: string | null, to: string | null) => ({
  ...{
    id: id(n),
    provider: 'courier',
    provider_id: `p${n}`,
    from_number: from,
    to_number: to,
    status: 'received' as const,
  },
  ...{ pages: 1, size_bytes: 1, sha256: null, pdf_key: null, original_key: null, source: null, notification: null },
  ...{ error: null, concern: null, broke_off: null, page_notes: null, call_record: null, is_test: 0, fetch_tries: 0 },
  ...{ next_try_at: null, read_at: null, received_at: at, created_at: at, updated_at: at, group_id: null },
})

const sent = (n: number, to: string, finished_at: string | null = at) => ({
  ...untried(at),
  ...{
    id: id(n),
    to_number: to,
    to_reversed: reverseDigits(to),
    backend: 'courier',
    pages: 1,
    document_kind: 'pdf' as const,
  },
  ...{ document_key: null, tones: 'auto' as const, unreadable: 'refuse' as const, cover: null, document_sha256: '' },
  ...{
    size_bytes: 1,
    file_name: null,
    caller_key_id: 'k1',
    parent_id: null,
    reference: null,
    metadata: null,
    is_test: 0,
  },
  ...{ broadcast_id: null, group_id: null, finished_at },
})

const hold = (subject: string) => ({
  ...{ id: subject, kind: 'number' as const, subject, reason: 'case 7', placed_by: 'k1', placed_at: at },
  ...{ lifted_by: null, lifted_at: null, lift_reason: null },
})

function room(database: Database) {
  const said: object[] = []
  const now = () => new Date(at)
  const context = testContext({
    database,
    now,
    events: new Events(database, now),
    settings: fixedSettings({ default_country: 'US' }),
    log: { info: (facts: object) => said.push(facts) } as never,
  })
  const numbers = async () => {
    const rows = await database.db.selectFrom('inbound_faxes').selectAll().orderBy('id').execute()
    return rows.map(({ from_number: from, to_number: to }) => [from, to])
  }
  return { context, said, numbers }
}

onEachDatabase((open, another) => {
  describe('the numbers of what is stored', () => {
    it('are written in one spelling, once, and it is said how many were not', async () => {
      const database = await open()
      const { db } = database
      const { context, said, numbers } = room(database)
      await insertAll(db, 'inbound_faxes', [
        received(1, '00447911123456', '5550000002'),
        received(2, '+447911123456', '+15550000002'),
        received(3, 'anonymous', '15550000002'),
        received(4, '201', null),
      ])
      await insertAll(db, 'fax_jobs', [sent(5, '5550000003'), sent(6, '+49030123456'), sent(7, '5550000004', null)])
      await insertAll(db, 'received_pages', [
        newPage(id(1), 0, undefined, { facts: [...tokensOfNumber('00447911123456'), ...tokensOfNumber('5550000002')] }),
      ] as never)
      await insertAll(db, 'sent_pages', [
        newPage(id(5), 0, undefined, { facts: [...tokensOfNumber('5550000003'), 'letter'] }),
      ] as never)
      const trail = await db.selectFrom('audit_events').selectAll().execute()

      expect(await respellNumbers(context)).toEqual({ holds: 0, groups: 0, received: 2, sent: 1 })
      expect(await numbers()).toEqual([
        ['+447911123456', '+15550000002'],
        ['+447911123456', '+15550000002'],
        ['anonymous', '+15550000002'],
        ['201', null],
      ])
      const jobs = await db.selectFrom('fax_jobs').select(['to_number', 'to_reversed']).orderBy('id').execute()
      expect(jobs).toEqual([
        { to_number: '+15550000003', to_reversed: '30000005551' },
        { to_number: '+49030123456', to_reversed: '65432103094' },
        { to_number: '5550000004', to_reversed: '4000000555' },
      ])
      const find = async (direction: 'sent' | 'received', q: string) =>
        (await findFaxes(database, direction, q, { visible: 'all' })).ids
      expect(await find('received', '+44 7911 123456')).toEqual([id(1)])
      expect(await find('received', '+15550000002')).toEqual([id(1)])
      expect(await find('sent', '+15550000003')).toEqual([id(5)])
      expect(await find('sent', 'letter')).toEqual([id(5)])
      expect(said).toEqual([{ rows: 3, holds: 0, groups: 0, received: 2, sent: 1 }])
      expect(await db.selectFrom('audit_events').selectAll().execute()).toEqual(trail)

      await insertAll(db, 'inbound_faxes', [received(8, '5550000002', null)])
      expect(await respellNumbers(context)).toEqual({ holds: 0, groups: 0, received: 0, sent: 0 })
      expect(said).toHaveLength(1)
    })

    it('are all done, and counted, though it dies between any two pieces and another process does the same', async () => {
      const database = await open()
      const { context, numbers, said } = room(database)
      const rows = Array.from({ length: 1200 }, (_, n) => received(n, '5550000002', n % 2 ? '+15550000001' : null))
      await insertAll(database.db, 'inbound_faxes', rows)
      let pieces = 0
      const transaction = database.db.transaction.bind(database.db)
      database.db.transaction = () => {
        // The holds, the groups and the first piece of the received faxes.
        if (++pieces > 3) throw new Error('The machine has lost its power.')
        return transaction()
      }
      await expect(respellNumbers(context)).rejects.toThrow('lost its power')
      database.db.transaction = transaction
      const done = (await numbers()).filter(([from]) => from === '+15550000002')
      expect(done).toHaveLength(500)
      const second = room(await another(database))
      await Promise.all([respellNumbers(context), respellNumbers(second.context)])
      expect(new Set((await numbers()).map(([from]) => from))).toEqual(new Set(['+15550000002']))
      expect([...said, ...second.said]).toContainEqual(expect.objectContaining({ received: 1200 }))
    })

    it('keep every fax under its hold', async () => {
      const database = await open()
      const { db } = database
      const { context, numbers } = room(database)
      await insertAll(db, 'legal_holds', [hold('+49030123456'), hold('+14930123457'), hold('+15550000002')])
      await insertAll(db, 'inbound_faxes', [
        received(1, '+49030123456', null),
        received(2, '4930123457', null),
        received(3, '5550000002', null),
      ])
      await insertAll(db, 'fax_jobs', [sent(5, '+49030123456')])
      expect(await respellNumbers(context)).toMatchObject({ holds: 1, received: 2, sent: 0 })
      const holds = await db
        .selectFrom('legal_holds')
        .select(['subject', 'reason', 'placed_by'])
        .orderBy('subject')
        .execute()
      expect(holds.map(({ subject }) => subject).toSorted()).toEqual([
        '+14930123457',
        '+15550000002',
        '+49030123456',
        '+4930123456',
      ])
      expect(holds.every(({ reason, placed_by: by }) => reason === 'case 7' && by === 'k1')).toBe(true)
      // A hold on +1 493 keeps the second fax by the end of its number; as +49 30 it would be let go.
      expect((await numbers()).map(([from]) => from)).toEqual(['+4930123456', '4930123457', '+15550000002'])
      expect(await context.events.list({ event: 'hold_placed', limit: 5 })).toHaveLength(1)
    })

    it('stay with their group, and with both where two have one number in two spellings', async () => {
      const database = await open()
      const { db } = database
      const { context } = room(database)
      const group = (name: string, calling_number: string | null) => ({
        ...{ id: name, name, name_key: name, created_at: at, created_by: 'k1', calling_number },
      })
      await insertAll(db, 'groups', [group('a', '+49030123456'), group('b', null), group('c', null)])
      await insertAll(db, 'group_numbers', [
        { number: '+49030123456', group_id: 'a' },
        { number: '+44020794609', group_id: 'b' },
        { number: '+49030123457', group_id: 'b' },
        { number: '+4930123457', group_id: 'c' },
      ])
      expect(await respellNumbers(context)).toMatchObject({ groups: 1 })
      expect(await db.selectFrom('groups').select('calling_number').where('id', '=', 'a').execute()).toEqual([
        { calling_number: '+4930123456' },
      ])
      const numbers = await db.selectFrom('group_numbers').selectAll().orderBy('number').execute()
      expect(numbers.filter(({ number }) => number.startsWith('+49'))).toEqual([
        { number: '+49030123457', group_id: 'b' },
        { number: '+4930123456', group_id: 'a' },
        { number: '+4930123457', group_id: 'c' },
      ])
    })
  })
})
