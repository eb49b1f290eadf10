import { memo, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import styles from './card-list.module.css'
import { SelectionBox } from './selection-box.tsx'
import type { Column, TableProps } from './table-columns.ts'
import { type RowActions, useRowActions } from './table-rows.tsx'

/** About as many cards as two screens of a phone show. */
const atATime = 12

interface Drawn<Place> {
  /** How many are drawn, from the first on. */
  drawn: number
  /** Goes to what takes the place of the others: when it comes near the screen, more are drawn. */
  rest: RefObject<Place | null>
}

/** How much of a long list is drawn: what a person comes near to, so that a phone does not wait for what nobody sees. */
function useDrawn<Place extends Element>(count: number): Drawn<Place> {
  const [drawn, setDrawn] = useState(atATime)
  const rest = useRef<Place>(null)
  const isWhole = drawn >= count
  useEffect(() => {
    if (!rest.current || isWhole) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setDrawn(drawn + atATime),
      { rootMargin: '1200px' },
    )
    watcher.observe(rest.current)
    return () => watcher.disconnect()
    // `drawn` grows each time: the rest may then still be near.
  }, [drawn, isWhole])
  return { drawn: Math.min(drawn, count), rest }
}

/** What a card and the gap below it take on average, in root text sizes. */
const cardHeight = 10.5

/** The rows of a table as cards, for small screens. */
export function CardList<Row>(props: TableProps<Row>) {
  const { rows, label, idOf } = props
  const actions = useRowActions(props)
  const { drawn, rest } = useDrawn<HTMLLIElement>(rows.length)
  return (
    <ul className={styles.cards} aria-label={label}>
      {rows.slice(0, drawn).map((row) => (
        <KeptCard key={idOf(row)} row={row} table={props} actions={actions} />
      ))}
      {drawn < rows.length && (
        <li ref={rest} aria-hidden="true" style={{ height: `${(rows.length - drawn) * cardHeight}rem` }} />
      )}
    </ul>
  )
}

/** What a table shows in a cell that has no value. */
const nothing: ReadonlySet<ReactNode> = new Set([null, undefined, false, '', '—'])

interface CardProps<Row> {
  row: Row
  table: TableProps<Row>
  actions: RowActions<Row>
}

function RowCard<Row>({ row, table, actions }: CardProps<Row>) {
  const { idOf, nameOf, columns, onOpen, current, selection } = table
  const id = idOf(row)
  const cellsFor = (card: Column<Row>['card']) => columns.filter((column) => column.card === card)
  const cell = (column: Column<Row>) => <span key={column.key}>{column.cell(row)}</span>
  const lead = cellsFor('lead').map(cell)
  const heading = cellsFor('title').map(cell)
  const foot = cellsFor('foot')
  const lines = cellsFor(undefined).map((column) => ({ ...column, value: column.cell(row) }))
  return (
    <li className={styles.card} data-current={id === current || undefined}>
      <div className={styles.head}>
        {selection && (
          <SelectionBox
            label={`Select ${nameOf(row)}`}
            checked={selection.chosen.has(id)}
            onChange={(ranged) => actions.choose(id, ranged)}
          />
        )}
        <div className={styles.heading} data-led={lead.length > 0 || undefined}>
          {lead.length > 0 && <div className={styles.lead}>{lead}</div>}
          {onOpen ? (
            <button type="button" data-opener={id} className={styles.opener} onClick={() => onOpen(row)}>
              <span className="unseen">{`Open ${nameOf(row)}`}</span>
              <span aria-hidden="true">{heading}</span>
            </button>
          ) : (
            heading
          )}
        </div>
        {cellsFor('side').map(cell)}
      </div>
      <dl className={styles.lines}>
        {lines
          .filter(({ value }) => !nothing.has(value))
          .map(({ key, label, value }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {foot.length > 0 && <div className={styles.foot}>{foot.map(cell)}</div>}
    </li>
  )
}

/** More are drawn without those that are: the table is the same to them. */
const KeptCard = memo(RowCard) as typeof RowCard
