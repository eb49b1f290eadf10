import { useState, useSyncExternalStore } from 'react'
import styles from './new-rows-pill.module.css'

interface Identified {
  id: string
}
interface HeldRows<Row> {
  rows: readonly Row[]
  /** How many newer rows wait to be shown. */
  arrivals: number
}

/** The rows already shown, in their places with newer facts, and after them what was read on at the end. */
export function holdRows<Row extends Identified>(shown: readonly Row[], fresh: readonly Row[]): HeldRows<Row> {
  const byId = new Map(fresh.map((row) => [row.id, row]))
  const known = new Set(shown.map((row) => row.id))
  const lastKnown = fresh.findLastIndex((row) => known.has(row.id))
  const unseen = fresh.filter((row) => !known.has(row.id))
  const below = fresh.slice(lastKnown + 1)
  // Without a common row nothing says which rows are above: all of it waits.
  const readOn = lastKnown < 0 ? [] : below
  const rows = [...shown.map((row) => byId.get(row.id) ?? row), ...readOn]
  return { rows, arrivals: unseen.length - readOn.length }
}

/**
 * A list that does not move under a person: while it is `held` the rows stay where they are and new ones wait.
 * @returns the rows to show, how many wait, and what shows them
 */
export function useHeldRows<Row extends Identified>(fresh: readonly Row[], held: boolean) {
  const [shown, setShown] = useState(fresh)
  // Where no row is shown yet, none can move.
  const holds = held && shown.length > 0
  if (!holds && shown !== fresh) setShown(fresh)
  const { rows, arrivals } = holds ? holdRows(shown, fresh) : { rows: fresh, arrivals: 0 }
  return { rows, arrivals, showArrivals: () => setShown(fresh) }
}

/** "3 new": rows that wait above while a person reads or selects below. Shows nothing when none wait. */
export function NewRowsPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div className={styles.place} role="status">
      {count > 0 && (
        <button type="button" className={styles.pill} onClick={onShow}>
          {count} new
        </button>
      )}
    </div>
  )
}

const subscribe = (listener: () => void) => {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

/** Whether the page is scrolled: new rows must not push away what is read. */
export function useScrolled(): boolean {
  return useSyncExternalStore(subscribe, () => scrollY > 0)
}
