import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { setWide } from '../../testing/screen-width.ts'
import { DataTable } from './data-table.tsx'
import type { Column } from './table-columns.ts'

interface Fax {
  id: string
  pages: number
}
const faxes = (count: number): Fax[] =>
  Array.from({ length: count }, (_, index) => ({ id: `fax${index}`, pages: index }))
const columns: Column<Fax>[] = [
  { key: 'id', label: 'Job ID', card: 'title', cell: (row) => row.id },
  { key: 'pages', label: 'Pages', align: 'end', cell: (row) => row.pages },
  { key: 'action', label: 'Action', card: 'foot', cell: () => <button type="button">Download</button> },
]

function List({ rows, onOpen }: { rows: Fax[]; onOpen?: (row: Fax) => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['gone']))
  return (
    <>
      <DataTable
        label="Faxes"
        rows={rows}
        idOf={(row) => row.id}
        nameOf={(row) => row.id}
        columns={columns}
        onOpen={onOpen}
        selection={{ chosen, onChange: setChosen }}
      />
      <output>{[...chosen].join(' ')}</output>
    </>
  )
}

function show(count = 3) {
  const onOpen = vi.fn()
  render(<List rows={faxes(count)} onOpen={onOpen} />)
  return { onOpen, user: userEvent.setup() }
}
const chosen = () => screen.getByRole('status').textContent

describe('a table', () => {
  it('opens a row by click, but not by a control inside it', async () => {
    const { user, onOpen } = show()
    await user.click(screen.getByRole('cell', { name: '1' }))
    expect(onOpen).toHaveBeenLastCalledWith({ id: 'fax1', pages: 1 })
    await user.click(within(screen.getByRole('row', { name: /fax2/ })).getByRole('button', { name: 'Download' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select fax2' }))
    expect(onOpen).toHaveBeenCalledTimes(1)
  })

  it('opens by keyboard, and goes from row to row with the arrow keys', async () => {
    const { user, onOpen } = show()
    screen.getByRole('button', { name: 'Open fax0' }).focus()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}{Enter}')
    expect(onOpen).toHaveBeenCalledWith({ id: 'fax1', pages: 1 })
  })

  it('chooses rows one by one and all together, and keeps what is chosen elsewhere', async () => {
    const { user } = show()
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' })
    await user.click(screen.getByRole('checkbox', { name: 'Select fax1' }))
    expect(chosen()).toBe('gone fax1')
    expect([all.checked, all.indeterminate]).toEqual([false, true])
    await user.click(all)
    expect(chosen()).toBe('gone fax1 fax0 fax2')
    expect([all.checked, all.indeterminate]).toEqual([true, false])
    await user.click(all)
    expect(chosen()).toBe('gone')
  })

  it('draws only the rows near the visible part of ten thousand', async () => {
    document.documentElement.style.fontSize = '16px'
    const measured: (() => void)[] = []
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(notice: () => void) {
          measured.push(notice)
        }
        observe = () => undefined
        disconnect = () => undefined
      },
    )
    show(10_000)
    const body = document.querySelector('tbody') ?? document.body
    expect(screen.getAllByRole('row').length).toBeLessThan(70)
    screen.getByRole('button', { name: 'Open fax0' })

    body.getBoundingClientRect = () => new DOMRect(0, -5_000 * 40)
    fireEvent.scroll(window)
    await screen.findByRole('button', { name: 'Open fax5000' })
    expect(screen.queryByRole('button', { name: 'Open fax0' })).toBeNull()
    expect(screen.getByRole('row', { name: /fax5000/ }).getAttribute('aria-rowindex')).toBe('5002')
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('10001')

    body.getBoundingClientRect = () => new DOMRect(0, -10_000 * 40)
    fireEvent.scroll(window)
    await waitFor(() => screen.getByRole('button', { name: 'Open fax9999' }))
    expect(measured).toHaveLength(1)
  })

  it('draws only what comes into view while it is scrolled, and keeps the focus where it is', async () => {
    document.documentElement.style.fontSize = '16px'
    const drawn = vi.fn((row: Fax) => row.pages)
    const counted = columns.map((column) => (column.key === 'pages' ? { ...column, cell: drawn } : column))
    const name = (row: Fax) => row.id
    const rows = faxes(1_000)
    render(<DataTable label="Faxes" rows={rows} idOf={name} nameOf={name} columns={counted} onOpen={vi.fn()} />)
    const body = document.querySelector('tbody') ?? document.body
    const scrollTo = (row: number) => {
      body.getBoundingClientRect = () => new DOMRect(0, -row * 40)
      fireEvent.scroll(window)
    }
    scrollTo(500)
    const kept = await screen.findByRole('button', { name: 'Open fax510' })
    kept.focus()
    drawn.mockClear()
    scrollTo(516)
    await waitFor(() => expect(drawn).toHaveBeenCalled())
    expect(drawn.mock.calls.length).toBeLessThanOrEqual(32)
    expect(document.activeElement).toBe(kept)
  })

  it('draws only the rows again that changed, and does with each what it last got', async () => {
    const drawn = vi.fn((row: Fax) => row.pages)
    const counted = columns.map((column) => (column.key === 'pages' ? { ...column, cell: drawn } : column))
    const table = (rows: Fax[], onOpen: (row: Fax) => void) => (
      <DataTable
        label="Faxes"
        rows={rows}
        idOf={(row) => row.id}
        nameOf={(row) => row.id}
        columns={counted}
        onOpen={onOpen}
        selection={{ chosen: new Set(), onChange: vi.fn() }}
      />
    )
    const rows = faxes(20)
    const [before, now] = [vi.fn(), vi.fn()]
    const { rerender } = render(table(rows, before))
    drawn.mockClear()
    rerender(table(rows.with(17, { id: 'fax17', pages: 170 }), now))
    expect(drawn.mock.calls).toEqual([[{ id: 'fax17', pages: 170 }]])
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open fax3' }))
    expect([before, now].map((reported) => reported.mock.calls)).toEqual([[], [[rows[3]]]])
  })

  it('shows a value that is cut off whole while it is pointed at', () => {
    show()
    const [long, short] = ['1', '2'].map((name) => screen.getByRole('cell', { name }))
    if (!long || !short) throw new Error('There are no cells.')
    Object.defineProperties(long, { scrollWidth: { value: 80 }, clientWidth: { value: 40 } })
    fireEvent.pointerOver(long)
    fireEvent.pointerOver(short)
    expect([long.title, short.title]).toEqual(['1', ''])
  })
})

describe('the same list as cards', () => {
  it('shows every value with its label and opens by the heading', async () => {
    setWide(false)
    const { user, onOpen } = show()
    const [card] = within(screen.getByRole('list', { name: 'Faxes' })).getAllByRole('listitem')
    within(card ?? document.body).getByText('Pages')
    await user.click(screen.getByRole('button', { name: 'Open fax0' }))
    expect(onOpen).toHaveBeenCalledWith({ id: 'fax0', pages: 0 })
    await user.click(screen.getByRole('checkbox', { name: 'Select fax2' }))
    expect(chosen()).toBe('gone fax2')
  })

  it('begins with what leads, beside the heading that opens, and leaves out what is empty', () => {
    setWide(false)
    const led: Column<Fax>[] = [
      ...columns,
      { key: 'to', label: 'To', card: 'lead', cell: () => <button type="button">…0123</button> },
      { key: 'error', label: 'Error', cell: ({ pages }) => (pages > 0 ? 'Busy' : '—') },
    ]
    render(
      <DataTable
        label="Led"
        rows={faxes(2)}
        idOf={(row) => row.id}
        nameOf={(row) => row.id}
        columns={led}
        onOpen={vi.fn()}
      />,
    )
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '…0123Open fax0fax0Pages0Download',
      '…0123Open fax1fax1Pages1ErrorBusyDownload',
    ])
    expect(screen.getAllByRole('button', { name: '…0123' })[0]?.closest('[data-opener]')).toBeNull()
  })

  it('draws as many as a person comes near to, and room for the others', () => {
    setWide(false)
    let comeNear = (): void => undefined
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(notice: (entries: { isIntersecting: boolean }[]) => void) {
          comeNear = () => notice([{ isIntersecting: true }])
        }
        observe = () => undefined
        disconnect = () => undefined
      },
    )
    show(30)
    const cards = () => screen.getAllByRole('listitem').length
    const room = () => screen.getByRole('list').querySelector<HTMLElement>('li[aria-hidden]')?.style.height
    expect([cards(), room()]).toEqual([12, '189rem'])
    act(() => comeNear())
    expect([cards(), room()]).toEqual([24, '63rem'])
    act(() => comeNear())
    expect([cards(), room()]).toEqual([30, undefined])
  })
})
