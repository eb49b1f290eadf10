import { type CSSProperties, type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react'
import { useWide } from '../layout/use-media.ts'
import { CardList } from './card-list.tsx'
import { choose } from './choose.ts'
import styles from './data-table.module.css'
import { SelectionBox } from './selection-box.tsx'
import type { Column, Selection, TableProps } from './table-columns.ts'
import { rowHeight, TableRows } from './table-rows.tsx'
import { useRowMotion } from './use-row-motion.ts'

const boxWidth = '2.75rem'

/**
 * A list: a table where there is room, cards where there is not. A row opens by click or by its first button; the
 * arrow keys go from row to row. Ten thousand rows scroll smoothly. Empty, loading and failed states are the
 * caller's (`EmptyState`, `Skeleton`, `ErrorNotice`).
 *
 *     <DataTable label="Fax jobs" rows={jobs} idOf={(job) => job.id} nameOf={(job) => `fax ${job.id.slice(0, 8)}`}
 *       columns={columns} onOpen={(job) => go('jobs', { open: job.id })} selection={{ chosen, onChange: setChosen }} />
 */
export function DataTable<Row>(props: TableProps<Row>) {
  return useWide() ? <WideTable {...props} /> : <CardList {...props} />
}

/** The widths of the columns, for the head and every row: each row is a grid of its own, which no other row waits for. */
function tracksOf<Row>({ columns, selection }: TableProps<Row>): CSSProperties {
  const widths = [selection && boxWidth, ...columns.map(({ width }) => width ?? 'minmax(0, 1fr)')].filter(Boolean)
  const fixed = widths.filter((width) => !width?.includes('fr'))
  return { '--columns': widths.join(' '), '--least': `calc(${['0rem', ...fixed].join(' + ')})` } as CSSProperties
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const openers = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-opener]')]
  const at = openers.findIndex((opener) => opener === document.activeElement)
  if (step === 0 || at < 0) return
  event.preventDefault()
  openers[at + step]?.focus()
}

function SelectAll({ ids, selection }: { ids: readonly string[]; selection: Selection }) {
  const { chosen, onChange } = selection
  const some = ids.some((id) => chosen.has(id))
  const all = some && ids.every((id) => chosen.has(id))
  return (
    <SelectionBox label="Select all" checked={all} some={some && !all} onChange={() => onChange(choose(chosen, ids))} />
  )
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

/** The heading of a column; where rows can be sorted by it, a button that sorts, and turns the order when pressed again. */
function Heading<Row>({ column, table: { order, onSort } }: { column: Column<Row>; table: TableProps<Row> }) {
  const { label, align, sort } = column
  const present = sort !== undefined && order?.sort === sort ? order.direction : undefined
  const press = () => sort && onSort?.({ sort, direction: present === 'desc' ? 'asc' : 'desc' })
  return (
    <th role="columnheader" scope="col" data-align={align} aria-sort={present && ariaSort[present]}>
      {sort && onSort ? (
        <button type="button" className={styles.sorter} data-order={present} onClick={press}>
          {label}
        </button>
      ) : (
        label
      )}
    </th>
  )
}

/** A value that is cut off is shown whole while it is pointed at. */
function showWhole({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null
  if (!cell) return
  const cut = [cell, ...cell.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  const whole = cut ? cell.textContent : ''
  if (cell.title !== whole) cell.title = whole
}

function WideTable<Row>(props: TableProps<Row>) {
  const { label, rows, idOf, columns, selection, frame, stickyHead } = props
  const scroller = useRef<HTMLDivElement>(null)
  const ids = useMemo(() => rows.map(idOf), [rows, idOf])
  useRowMotion(scroller, ids, rowHeight)
  return (
    <div
      ref={scroller}
      className={styles.frame}
      data-scrolls={frame ? true : undefined}
      data-sticky={stickyHead || undefined}
      style={{ maxHeight: frame?.maxHeight }}
      onScroll={(event) => frame?.onScrolled?.(event.currentTarget.scrollTop > 0)}
    >
      <table
        role="table"
        className={styles.table}
        style={{ minWidth: frame?.minWidth, ...tracksOf(props) }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        onKeyDown={moveBetweenRows}
        onPointerOver={showWhole}
      >
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" className={styles.box}>
                <SelectAll ids={ids} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.key} column={column} table={props} />
            ))}
          </tr>
        </thead>
        <TableRows table={props} scroller={scroller} />
      </table>
    </div>
  )
}
