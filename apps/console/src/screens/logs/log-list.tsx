import { eventWords } from '@faxdeck/contract/event-words'
import { useRef, useState } from 'react'
import { useWide } from '../../ui/layout/use-media.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { NewRowsPill, useHeldRows } from '../../ui/table/held-rows.tsx'
import type { TableFrame } from '../../ui/table/table-columns.ts'
import { useRowWindow } from '../../ui/table/use-row-window.ts'
import { Time } from '../../ui/time.tsx'
import { sentenceOf, whoOf } from './entry-words.ts'
import { EventName, logColumns } from './log-columns.tsx'
import { textOf } from './log-filter.ts'
import styles from './logs.module.css'
import type { LogRow } from './queries.ts'

const maxHeight = '520px'
const minWidth = '76rem'

interface Props {
  rows: readonly LogRow[]
  /** The entry whose dialog is open. */
  current: LogRow | undefined
  onOpen: (row: LogRow) => void
}

/** Entries in a frame that scrolls, newest first. They stay in place while a person reads further down. */
export function LogList({ rows: fresh, current, onOpen }: Props) {
  const [scrolled, setScrolled] = useState(false)
  const { rows, arrivals, showArrivals } = useHeldRows(fresh, scrolled || current !== undefined)
  const wide = useWide()
  const list = { label: 'Log entries', rows, onOpen, frame: { maxHeight, minWidth, onScrolled: setScrolled } }
  return (
    <>
      <NewRowsPill count={arrivals} onShow={showArrivals} />
      {wide ? (
        <DataTable
          {...list}
          idOf={(row) => row.id}
          nameOf={({ entry }) => `${eventWords(entry)} of ${entry.ts}`}
          columns={logColumns}
          current={current?.id}
        />
      ) : (
        <LogCards {...list} />
      )}
    </>
  )
}

interface LogListProps {
  label: string
  rows: readonly LogRow[]
  onOpen: (row: LogRow) => void
  frame: Required<TableFrame>
}

/** Height of a card in root text sizes. */
const cardHeight = 3.75

/** Ids are as short as everywhere; the dialog shows them whole. */
function factOf(name: string, value: string): string {
  if (name === 'error' || name === 'status') return value
  return `${name.replace(/_id$/, '')} ${/^[0-9a-f]{32}$/.test(value) ? value.slice(0, 8) : value}`
}

/** Facts in one line, the most important first. */
function gistOf({ entry }: LogRow): string {
  const sentence = sentenceOf(entry)
  if (sentence !== undefined) return sentence
  const {
    ts: _,
    event: __,
    error,
    status,
    key_id: ___,
    key_name: ____,
    person: id,
    person_name: person,
    ...rest
  } = entry
  // Names stand for ids; an entry about a person has the name already.
  const about = person ?? (entry.name === undefined ? id : undefined)
  const facts = { error, status, by: whoOf(entry), about, ...rest }
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => factOf(name, textOf(value)))
    .join(' · ')
}

/** The entries on a small screen: two lines each, in a frame that scrolls. */
function LogCards({ rows, label, onOpen, frame }: LogListProps) {
  const body = useRef<HTMLUListElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { first, end } = useRowWindow(body, rows.length, cardHeight, scroller)
  return (
    <div
      ref={scroller}
      className={styles.cards}
      style={{ maxHeight: frame.maxHeight }}
      onScroll={(event) => frame.onScrolled(event.currentTarget.scrollTop > 0)}
    >
      <ul ref={body} aria-label={label}>
        <Spacer rows={first} />
        {rows.slice(first, end).map((row) => (
          <li key={row.id} className={styles.card} style={{ height: `${cardHeight}rem` }}>
            <button type="button" onClick={() => onOpen(row)}>
              <EventName entry={row.entry} />
              <Time at={row.entry.ts} seconds />
              <span className={styles.gist}>{gistOf(row)}</span>
            </button>
          </li>
        ))}
        <Spacer rows={rows.length - end} />
      </ul>
    </div>
  )
}

function Spacer({ rows }: { rows: number }) {
  if (rows <= 0) return null
  return <li aria-hidden="true" style={{ height: `${rows * cardHeight}rem` }} />
}
