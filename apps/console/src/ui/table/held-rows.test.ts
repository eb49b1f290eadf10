import { describe, expect, it } from 'vitest'
import { holdRows } from './held-rows.tsx'

const rows = (...ids: string[]) => ids.map((id) => ({ id, fact: 'old' }))
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('')

describe('a held list', () => {
  it('lets new rows wait and keeps its own, with newer facts', () => {
    const fresh = [...rows('z', 'y'), { id: 'b', fact: 'new' }, ...rows('a')]
    const held = holdRows(rows('b', 'a'), fresh)
    expect(held.arrivals).toBe(2)
    expect(held.rows).toEqual([
      { id: 'b', fact: 'new' },
      { id: 'a', fact: 'old' },
    ])
  })

  it('shows what was read on at its end', () => {
    const held = holdRows(rows('c', 'b'), rows('c', 'b', 'a', '9'))
    expect([idsOf(held.rows), held.arrivals]).toEqual(['cba9', 0])
  })

  it('keeps a row that is gone from the gateway until it is let go', () => {
    expect(idsOf(holdRows(rows('c', 'b', 'a'), rows('c', 'a')).rows)).toBe('cba')
  })

  it('lets everything wait when nothing of it is known', () => {
    expect(holdRows(rows('a'), rows('z', 'y'))).toMatchObject({ arrivals: 2, rows: rows('a') })
  })
})
