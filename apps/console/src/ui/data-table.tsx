import { memo, useMemo, useRef, type CSSProperties, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import { CardList } from './card-list.tsx'
import styles from './data-table.module.css'
import { SelectionBox } from './selection-box.tsx'
import type { TableProps } from './table-columns.ts'
import { useRowWindow } from './use-row-window.ts'
import { useWide } from './use-wide.ts'

/** Height of a row in root text sizes: 40 pixels. */
const rowHeight = 2.5
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

function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const openers = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-opener]')]
  const at = openers.findIndex((opener) => opener === document.activeElement)
  if (step === 0 || at < 0) return
  event.preventDefault()
  openers[at + step]?.focus()
}

function WideTable<Row>(props: TableProps<Row>) {
  const { label, rows, idOf, columns, selection, frame } = props
  const scroller = useRef<HTMLDivElement>(null)
  const ids = useMemo(() => rows.map(idOf), [rows, idOf])
  return (
    <div
      ref={scroller}
      className={styles.frame}
      data-scrolls={frame ? true : undefined}
      style={{ maxHeight: frame?.maxHeight }}
      onScroll={(event) => frame?.onScrolled?.(event.currentTarget.scrollTop > 0)}
    >
      <table
        role="table"
        className={styles.table}
        style={{ minWidth: frame?.minWidth, ...tracksOf(props) }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" className={styles.box}>
                <SelectionBox label="Select all" ids={ids} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.key} role="columnheader" scope="col" data-align={column.align}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <TableBody table={props} scroller={scroller} />
      </table>
    </div>
  )
}

interface BodyProps<Row> {
  table: TableProps<Row>
  scroller: RefObject<HTMLDivElement | null>
}

/** The rows near the visible part, and as much room as the others need. Only this is drawn again by scrolling. */
function TableBody<Row>({ table, scroller }: BodyProps<Row>) {
  const { rows, idOf, frame } = table
  const body = useRef<HTMLTableSectionElement>(null)
  const { first, end } = useRowWindow(body, rows.length, rowHeight, frame && scroller)
  const room = { paddingBlock: `${first * rowHeight}rem ${(rows.length - end) * rowHeight}rem` }
  return (
    <tbody ref={body} role="rowgroup" style={room} onKeyDown={moveBetweenRows}>
      {rows.slice(first, end).map((row, index) => (
        <KeptRow key={idOf(row)} row={row} index={first + index} table={table} />
      ))}
    </tbody>
  )
}

const isOwnPress = (event: MouseEvent) => {
  const control = (event.target as Element).closest('a, button, input, label')
  return !control && document.getSelection()?.isCollapsed !== false
}

function TableRow<Row>({ row, index, table }: { row: Row; index: number; table: TableProps<Row> }) {
  const { idOf, nameOf, columns, onOpen, current, selection } = table
  const id = idOf(row)
  const openByPress = onOpen && ((event: MouseEvent) => isOwnPress(event) && onOpen(row))
  return (
    <tr
      role="row"
      data-opens={onOpen ? true : undefined}
      data-current={id === current || undefined}
      aria-rowindex={index + 2}
      onClick={openByPress}
    >
      {selection && (
        <td role="cell" className={styles.box}>
          <SelectionBox label={`Select ${nameOf(row)}`} ids={[id]} selection={selection} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} role="cell" data-align={column.align} data-fits={column.fits}>
          {column.card === 'title' && onOpen ? (
            <button
              type="button"
              data-opener={id}
              className={styles.opener}
              aria-label={`Open ${nameOf(row)}`}
              onClick={() => onOpen(row)}
            >
              {column.cell(row)}
            </button>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}

/** Scrolling draws only the rows that come into view: the table is the same to the others. */
const KeptRow = memo(TableRow) as typeof TableRow
