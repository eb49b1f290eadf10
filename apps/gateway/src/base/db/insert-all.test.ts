import { expect, it } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { insertAll } from './insert-all.ts'

const row = (id: string, retired_at: string | null = null) => ({
  id,
  sealed: `sealed ${id}`,
  made_at: 'then',
  retired_at,
})

onEachDatabase((open) => {
  it('inserts rows again and again, however many, with their columns in any order, or with one left out', async () => {
    const { db } = await open()
    const { id, ...others } = row('d', 'now')
    const many = Array.from({ length: 450 }, (_, at) => row(String(1000 + at)))
    for (const rows of [
      [],
      [row('a')],
      [row('b', 'now')],
      [{ ...others, id }],
      [{ ...row('c'), id: 'e' }, row('f', 'now')],
      many,
    ]) {
      await insertAll(db, 'wrapping_keys', rows)
    }
    const { retired_at: _, ...short } = row('g')
    await insertAll(db, 'wrapping_keys', [row('h', 'now'), short])
    const kept = await db.selectFrom('wrapping_keys').selectAll().orderBy('id').execute()
    expect(kept.length).toBe(7 + many.length)
    expect(
      kept.filter(({ sealed }) => sealed.length < 10).map((each) => [each.id, each.sealed, each.retired_at]),
    ).toEqual([
      ['a', 'sealed a', null],
      ['b', 'sealed b', 'now'],
      ['d', 'sealed d', 'now'],
      ['e', 'sealed c', null],
      ['f', 'sealed f', 'now'],
      ['g', 'sealed g', null],
      ['h', 'sealed h', 'now'],
    ])
  })
})
