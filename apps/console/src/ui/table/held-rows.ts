import { useState } from 'react'

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
  // Without a common row above and below cannot be told apart: all of it waits.
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
  if (!held && shown !== fresh) setShown(fresh)
  const { rows, arrivals } = held ? holdRows(shown, fresh) : { rows: fresh, arrivals: 0 }
  return { rows, arrivals, showArrivals: () => setShown(fresh) }
}
