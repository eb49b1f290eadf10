import type { Cell, Table } from './flow.ts'
import { type SetTable, setTable } from './set-table.ts'

/** A table, or some of its columns, broken to a width. */
export interface PlacedTable {
  set: SetTable
  /** "Columns 2 to 9 of 30", where a table is divided. */
  caption?: string
}

const emptyCells = (count: number): Cell[] => Array.from({ length: count }, () => ({ pieces: [], span: 1 }))

/** A row with each cell where its column is: one that reaches over several is followed by empty ones. */
function spread(row: readonly Cell[]): Cell[] {
  return row.flatMap(({ span, ...cell }) => [{ ...cell, span: 1 }, ...emptyCells(span - 1)])
}

/** The first column, which says what a row is about, and those between `from` and `to`. */
function pick({ kind, headings, rows }: Table, from: number, to: number): Table {
  return { kind, headings, rows: rows.map((row) => [...row.slice(0, 1), ...row.slice(from, to)]) }
}

/** The most columns from `from` on that fit beside the first one. Two always do: long words are cut. */
function fit(table: Table, from: number, columns: number, width: number): { set: SetTable; to: number } {
  for (let to = columns; ; to = from + Math.max(1, Math.floor((to - from) * 0.8))) {
    const set = setTable(pick(table, from, to), width)
    if (set) return { set, to }
    if (to === from + 1) throw new Error('Two columns are wider than a page.')
  }
}

/** A table in one piece where it fits a width in points, else some columns after others, each time with the first one. */
export function placeWide(table: Table, width: number): PlacedTable[] {
  const whole = setTable(table, width)
  if (whole) return [{ set: whole }]
  const spreadRows = table.rows.map(spread)
  const columns = spreadRows.reduce((max, row) => Math.max(max, row.length), 0)
  const grid = { ...table, rows: spreadRows.map((row) => [...row, ...emptyCells(columns - row.length)]) }
  const placed: PlacedTable[] = []
  for (let from = 1; from < columns;) {
    const { set, to } = fit(grid, from, columns, width)
    const which = to === from + 1 ? `Column ${to}` : `Columns ${from + 1} to ${to}`
    placed.push({ set, caption: `${which} of ${columns}` })
    from = to
  }
  return placed
}
