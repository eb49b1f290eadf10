import { render } from '@testing-library/react'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { DataTable } from './data-table.tsx'
import { movedUp } from './use-row-motion.ts'

const animate = vi.spyOn(HTMLElement.prototype, 'animate')
afterEach(() => void animate.mockClear())
afterAll(() => animate.mockRestore())

const self = (row: string) => row
const columns = [{ key: 'id', label: 'ID', card: 'title', cell: self }] as const
const list = (rows: string[]) => <DataTable label="Keys" rows={rows} idOf={self} nameOf={self} columns={columns} />

describe('rows', () => {
  it('glide up by as many places as left above them, and nowhere when others come or the list is another', () => {
    expect([...movedUp(['a', 'b', 'c', 'd'], ['a', 'c', 'd'])]).toEqual([
      ['c', 1],
      ['d', 1],
    ])
    expect([...movedUp(['a', 'b', 'c'], ['c'])]).toEqual([['c', 2]])
    expect(movedUp(['a', 'b'], ['new', 'a', 'b']).size).toBe(0)
    expect(movedUp(['a', 'b', 'c'], ['x', 'y']).size).toBe(0)
    expect(movedUp(['a', 'b', 'c'], ['c', 'a']).size).toBe(0)
    expect(movedUp(['1', '2', '3', '4', '5', '6', '7'], ['7']).size).toBe(0)
  })

  it('are moved on the page for a moment when one leaves', () => {
    const { rerender } = render(list(['a', 'b', 'c']))
    rerender(list(['a', 'c']))
    expect(animate.mock.contexts.map((row) => (row as Element).textContent)).toEqual(['c'])
    expect(animate).toHaveBeenCalledWith([{ translate: '0 2.5rem' }, { translate: '0 0' }], expect.anything())
  })

  it('stay where they are for who wants no motion', () => {
    const media = matchMedia('(min-width: 1px)')
    const asked = vi
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => Object.assign(media, { matches: !query.includes('print') }))
    const { rerender } = render(list(['a', 'b', 'c']))
    rerender(list(['a', 'c']))
    expect(animate).not.toHaveBeenCalled()
    asked.mockRestore()
  })
})
