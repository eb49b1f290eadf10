import { memo, useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { CardList } from './card-list.tsx'
import styles from './data-table.module.css'
import { SelectionBox } from './selection-box.tsx'
import type { TableProps } from './table-columns.ts'
import { useRowWindow } from './use-row-window.ts'
import { useWide } from './use-wide.ts'

/** Height of a row in root text sizes: 40 pixels. */
const rowHeight = 2.5

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
  const body = useRef<HTMLTableSectionElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { first, end } = useRowWindow(body, rows.length, rowHeight, frame && scroller)
  const ids = useMemo(() => rows.map(idOf), [rows, idOf])
  const span = columns.length + (selection ? 1 : 0)
  return (
    <div
      ref={scroller}
      className={styles.frame}
      data-scrolls={frame ? true : undefined}
      style={{ maxHeight: frame?.maxHeight }}
      onScroll={(event) => frame?.onScrolled?.(event.currentTarget.scrollTop > 0)}
    >
      <table
        className={styles.table}
        style={{ minWidth: frame?.minWidth }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <thead>
          <tr>
            {selection && (
              <th className={styles.box}>
                <SelectionBox label="Select all" ids={ids} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.key} scope="col" data-align={column.align} style={{ width: column.width }}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={moveBetweenRows}>
          <Spacer rows={first} span={span} />
          {rows.slice(first, end).map((row, index) => (
            <KeptRow key={idOf(row)} row={row} index={first + index} table={props} />
          ))}
          <Spacer rows={rows.length - end} span={span} />
        </tbody>
      </table>
    </div>
  )
}

function Spacer({ rows, span }: { rows: number; span: number }) {
  if (rows <= 0) return null
  return (
    <tr aria-hidden="true" style={{ height: `${rows * rowHeight}rem` }}>
      <td colSpan={span} />
    </tr>
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
      data-opens={onOpen ? true : undefined}
      data-current={id === current || undefined}
      aria-rowindex={index + 2}
      onClick={openByPress}
    >
      {selection && (
        <td className={styles.box}>
          <SelectionBox label={`Select ${nameOf(row)}`} ids={[id]} selection={selection} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} data-align={column.align}>
          {column.card === 'title' && onOpen ? (
            <button type="button" data-opener={id} className={styles.opener} onClick={() => onOpen(row)}>
              <span className="unseen">{`Open ${nameOf(row)}`}</span>
              <span aria-hidden="true">{column.cell(row)}</span>
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
