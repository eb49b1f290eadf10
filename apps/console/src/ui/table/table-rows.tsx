import { type CSSProperties, memo, type MouseEvent, type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { choose, chooseRange } from './choose.ts'
import styles from './data-table.module.css'
import { SelectionBox } from './selection-box.tsx'
import type { Column, TableProps } from './table-columns.ts'
import { blockOfRows, useRowWindow } from './use-row-window.ts'

/** Height of a row in root text sizes: 40 pixels. */
export const rowHeight = 2.5

/** What a row can do, under functions that stay the same, so that no row is drawn again only for them. */
export interface RowActions<Row> {
  open: (row: Row) => void
  choose: (id: string, ranged: boolean) => void
}

/** What can be done with the rows of a table, with or without Shift. */
export function useRowActions<Row>(table: TableProps<Row>): RowActions<Row> {
  const latest = useRef(table)
  const pressed = useRef<string>(undefined)
  useLayoutEffect(() => {
    latest.current = table
  })
  return useMemo(
    () => ({
      open: (row) => latest.current.onOpen?.(row),
      choose: (id, ranged) => {
        const { selection, rows, idOf } = latest.current
        const from = ranged ? pressed.current : undefined
        pressed.current = id
        if (!selection) return
        const { chosen, onChange } = selection
        onChange(from === undefined ? choose(chosen, [id]) : chooseRange(chosen, rows.map(idOf), from, id))
      },
    }),
    [],
  )
}

interface RowsProps<Row> {
  table: TableProps<Row>
  scroller: RefObject<HTMLDivElement | null>
}

const room = (rows: number): CSSProperties => ({ height: `${rows * rowHeight}rem` })

/** The rows near the visible part, and as much room as the others need. Only this is drawn again by scrolling. */
export function TableRows<Row>({ table, scroller }: RowsProps<Row>) {
  const { rows, frame } = table
  const above = useRef<HTMLTableSectionElement>(null)
  const actions = useRowActions(table)
  const { first, end } = useRowWindow(above, rows.length, rowHeight, frame && scroller)
  const blocks = []
  for (let from = first; from < end; from += blockOfRows) {
    blocks.push(<KeptBlock key={from} from={from} table={table} actions={actions} />)
  }
  return (
    <>
      <tbody ref={above} role="presentation" style={room(first)} />
      {blocks}
      <tbody role="presentation" style={room(rows.length - end)} />
    </>
  )
}

interface BlockProps<Row> {
  from: number
  table: TableProps<Row>
  actions: RowActions<Row>
}

function RowBlock<Row>({ from, table, actions }: BlockProps<Row>) {
  const { rows, idOf, nameOf, columns, onOpen, current, selection } = table
  const today = new Date().toDateString()
  return (
    <tbody role="rowgroup" className={styles.block}>
      {rows.slice(from, from + blockOfRows).map((row, index) => {
        const id = idOf(row)
        return (
          <KeptRow
            key={id}
            row={row}
            id={id}
            name={nameOf(row)}
            index={from + index}
            columns={columns}
            opens={onOpen !== undefined}
            isCurrent={id === current}
            chosen={selection?.chosen.has(id)}
            actions={actions}
            today={today}
          />
        )
      })}
    </tbody>
  )
}

/** Scrolling draws only the blocks that come into view: the table is the same to the others. */
const KeptBlock = memo(RowBlock) as typeof RowBlock

interface RowProps<Row> {
  row: Row
  id: string
  name: string
  index: number
  columns: readonly Column<Row>[]
  opens: boolean
  isCurrent: boolean
  /** Unknown where nothing can be chosen. */
  chosen: boolean | undefined
  actions: RowActions<Row>
  /** Draws every row anew after midnight, when "14:05" no longer means today. */
  today: string
}

const isOwnPress = (event: MouseEvent) => {
  const control = (event.target as Element).closest('a, button, input, label')
  return !control && document.getSelection()?.isCollapsed !== false
}

function TableRow<Row>({ row, id, name, index, columns, opens, isCurrent, chosen, actions }: RowProps<Row>) {
  const open = () => actions.open(row)
  return (
    <tr
      role="row"
      data-opens={opens || undefined}
      data-current={isCurrent || undefined}
      aria-rowindex={index + 2}
      onClick={opens ? (event) => isOwnPress(event) && open() : undefined}
    >
      {chosen !== undefined && (
        <td role="cell" className={styles.box}>
          <SelectionBox label={`Select ${name}`} checked={chosen} onChange={(ranged) => actions.choose(id, ranged)} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} role="cell" data-align={column.align} data-fits={column.fits}>
          {column.card === 'title' && opens ? (
            <button type="button" data-opener={id} className={styles.opener} aria-label={`Open ${name}`} onClick={open}>
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

/** A row is drawn again only when something of it is new. */
const KeptRow = memo(TableRow) as typeof TableRow
