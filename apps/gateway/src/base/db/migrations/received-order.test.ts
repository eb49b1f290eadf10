import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { receivedRow } from '../../../inbox/inbound/testing/received-fax.ts'
import { onEachDatabase } from '../../../testing/databases.ts'
import { up } from './0068-received-order.ts'

const idOf = (n: number) => n.toString(16).padStart(32, '0')

onEachDatabase((open) => {
  it('faxes that were received before get their places by the time of their arrival', async () => {
    const { db, engine } = await open()
    const on = engine === 'postgres' ? ' on inbound_faxes' : ''
    for (const statement of [
      `drop trigger inbound_faxes_in${on}`,
      `drop trigger inbound_faxes_ended${on}`,
      ...(engine === 'postgres' ? ['drop function inbound_faxes_place()'] : []),
      'drop table inbound_order',
      'drop index inbound_faxes_place',
    ])
      await sql.raw(statement).execute(db)
    const add = (n: number, minute: number, status: 'received' | 'waiting') =>
      db
        .insertInto('inbound_faxes')
        .values(receivedRow({ id: idOf(n), received_at: `2026-03-01T12:0${minute}:00.000Z`, status }))
        .execute()
    await add(1, 5, 'received')
    await add(2, 3, 'received')
    await add(3, 1, 'waiting')
    await sql`alter table inbound_faxes drop column place`.execute(db)
    await up(db as never)
    await add(4, 0, 'received')
    const rows = await db.selectFrom('inbound_faxes').select(['id', 'place']).orderBy('id').execute()
    expect(rows.map(({ place }) => place)).toEqual([2, 1, null, 3])
  })
})
