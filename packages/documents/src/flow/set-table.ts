import { widthOf } from '../text/typeset.ts'
import type { Cell, Piece, Table } from './flow.ts'
import { paragraph, textOf } from './flow.ts'
import type { Paragraph } from './flow.ts'
import type { Line, Type } from './lines.ts'
import { breakLines } from './lines.ts'

/** Around the text of a cell, in points. */
export const cellPadding = 4
/** Rows that the widths of columns are measured on. */
const measuredRows = 200
const types: readonly Type[] = [
  { size: 10.5, leading: 14 },
  { size: 9.5, leading: 13 },
  { size: 8.5, leading: 12 },
]
/** A column that is narrower holds no reading matter. */
const minColumn = 34

export interface SetRow {
  cells: readonly { lines: readonly Line[]; x: number; width: number }[]
  /** Lines of the longest cell. */
  lines: number
}

/** A table whose lines are broken: it only has to be cut into pages. */
export interface SetTable {
  type: Type
  rows: readonly SetRow[]
  headings: number
  width: number
}

interface Measure {
  natural: number[]
  least: number[]
}

const longestWord = (pieces: readonly Piece[], size: number) =>
  Math.max(
    0,
    ...textOf(pieces)
      .split(/\s+/)
      .slice(0, 200)
      .map((word) => widthOf(word, size)),
  )
const longestLine = (pieces: readonly Piece[], size: number) =>
  Math.max(
    0,
    ...textOf(pieces)
      .split('\n')
      .slice(0, 50)
      .map((line) => widthOf(line.slice(0, 200), size)),
  )

function measure(rows: Table['rows'], columns: number, size: number): Measure {
  const natural = Array.from({ length: columns }, () => minColumn)
  const least = [...natural]
  for (const row of rows.slice(0, measuredRows)) {
    let column = 0
    for (const { pieces, span } of row) {
      if (span === 1) {
        natural[column] = Math.max(natural[column] ?? 0, longestLine(pieces, size) + 2 * cellPadding + 1)
        least[column] = Math.max(least[column] ?? 0, Math.min(120, longestWord(pieces, size) + 2 * cellPadding + 1))
      }
      column += span
    }
  }
  return { natural, least }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Widths of columns that fit together; undefined when the longest words do not. */
function widthsOf({ natural, least }: Measure, width: number): number[] | undefined {
  if (sum(natural) <= width) return natural
  const room = width - sum(least)
  if (room < 0) return undefined
  const wanted = natural.map((each, column) => each - least[column]!)
  return least.map((each, column) => each + (room * wanted[column]!) / sum(wanted))
}

function setRow(row: readonly Cell[], widths: readonly number[], type: Type): SetRow {
  let column = 0
  let x = 0
  const cells = row.map(({ pieces, span }) => {
    const width = sum(widths.slice(column, column + span))
    const cell = { lines: breakLines(pieces, type, width - 2 * cellPadding), x, width }
    column += span
    x += width
    return cell
  })
  return { cells, lines: Math.max(1, ...cells.map(({ lines }) => lines.length)) }
}

/** Breaks a table to a width in points, in smaller type where that is needed; undefined when it has too many columns. */
export function setTable(table: Table, width: number): SetTable | undefined {
  const columns = Math.max(...table.rows.map((row) => sum(row.map(({ span }) => span))), 0)
  if (columns * minColumn > width) return undefined
  for (const type of types) {
    const widths = widthsOf(measure(table.rows, columns, type.size), width)
    if (!widths) continue
    const rows = table.rows.map((row) => setRow(row, widths, type))
    return { type, rows, headings: table.headings, width: sum(widths) }
  }
  return undefined
}

/** The heading of each column: what all rows of the head say of it, one that reaches over several of each. */
function labelsOf({ rows, headings }: Table): string[] {
  const heads = rows.slice(0, headings).map((row) => {
    return row.flatMap(({ pieces, span }) => Array.from({ length: span }, () => textOf(pieces).trim()))
  })
  const columns = heads.reduce((max, { length }) => Math.max(max, length), 0)
  return Array.from({ length: columns }, (_, column) =>
    [...new Set(heads.map((head) => head[column] ?? ''))].filter((text) => text !== '').join(', '),
  )
}

/** A table of too many columns as text: every row a list of its values, each with the heading of its column. */
export function asRecords(table: Table): Paragraph[] {
  const labels = labelsOf(table)
  return table.rows.slice(table.headings).map((row) => {
    let next = 0
    const pieces = row.flatMap(({ pieces: value, span }): Piece[] => {
      const column = next
      next += span
      if (textOf(value).trim() === '') return []
      return [{ text: `${labels[column] || `Column ${column + 1}`}: `, bold: true }, ...value, { text: '\n' }]
    })
    return paragraph(pieces)
  })
}
