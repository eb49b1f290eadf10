import { checkPages } from '../base/limits.ts'
import { widthOf } from '../text/typeset.ts'
import { type Paragraph, paragraph, type Piece, type Table, textOf } from './flow.ts'
import type { Type } from './lines.ts'
import { drawStrips, heightOf, type Press, type Spot, type Strip } from './strip.ts'

/** Around the text of a cell, in points. */
const cellPadding = 4
/** Rows that the widths of columns are measured on. */
const measuredRows = 200
/** No page has more rows. */
const maxRowsOnPage = 60
const types: readonly Type[] = [
  { size: 10.5, leading: 14 },
  { size: 9.5, leading: 13 },
  { size: 8.5, leading: 12 },
]
/** A column that is narrower holds no reading matter. */
const minColumn = 34

/** A table whose columns have widths: its rows only have to be set. */
export interface SetTable {
  type: Type
  table: Table
  widths: readonly number[]
  /** In points. */
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

/** The widths that the document gives, where its words fit in them. */
function givenWidths({ widths = [] }: Table, { least }: Measure, width: number): number[] | undefined {
  if (widths.length < least.length) return undefined
  const scale = Math.min(1, width / sum(widths))
  const scaled = widths.map((each) => each * scale)
  return least.every((each, column) => scaled[column]! >= Math.min(each, 90)) ? scaled : undefined
}

/** Finds widths for the columns of a table, with smaller type where that is needed; undefined when it has too many. */
export function setTable(table: Table, width: number): SetTable | undefined {
  const columns = table.rows.reduce((max, row) => Math.max(max, sum(row.map(({ span }) => span))), 0)
  if (columns * minColumn > width) return undefined
  for (const type of types) {
    const measured = measure(table.rows, columns, type.size)
    const widths = givenWidths(table, measured, width) ?? widthsOf(measured, width)
    if (widths) return { type, table, widths, width: sum(widths) }
  }
  return undefined
}

interface SetCell {
  strips: readonly Strip[]
  x: number
  width: number
}

/** A row as a strip, which is divided between the lines of its cells. */
function rowStrip(
  cells: readonly SetCell[],
  set: SetTable,
  { typesetter }: Pick<Press, 'typesetter'>,
  heads: readonly Strip[],
): Strip {
  const height = Math.max(set.type.leading, ...cells.map(({ strips }) => heightOf(strips))) + 2 * cellPadding
  const draw = (spot: Spot) => {
    for (const { strips, x, width } of cells) {
      drawStrips(strips, { ...spot, x: spot.x + x + cellPadding, top: spot.top - cellPadding })
      if (!set.table.isBare) typesetter.box(spot.x + x, spot.top - height, width, height)
    }
    if (cells.length === 0 && !set.table.isBare) typesetter.box(spot.x, spot.top - height, set.width, height)
  }
  const split = (room: number) => {
    const parts = cells.map(({ strips }) => countFitting(strips, room - 2 * cellPadding))
    if (parts.every((count) => count === 0)) return undefined
    const part = (cut: (strips: readonly Strip[], at: number) => readonly Strip[]) =>
      rowStrip(
        cells.map((cell, n) => ({ ...cell, strips: cut(cell.strips, parts[n]!) })),
        set,
        { typesetter },
        heads,
      )
    return [part((strips, at) => strips.slice(0, at)), part((strips, at) => strips.slice(at))] as const
  }
  const notes = cells.flatMap(({ strips }) => strips.flatMap((strip) => strip.notes ?? []))
  // A short row is not torn apart.
  return { height, draw, split, heads, notes, reserve: Math.min(height, 12 * set.type.leading) }
}

/** How many strips from the top fit on a height. */
function countFitting(strips: readonly Strip[], room: number): number {
  let height = 0
  const first = strips.findIndex((strip) => (height += strip.height) > room)
  return first < 0 ? strips.length : first
}

/** The rows of a table. */
export async function tableStrips(set: SetTable, press: Press): Promise<Strip[]> {
  const { rows, headings } = set.table
  checkPages(Math.ceil(rows.length / maxRowsOnPage), press.limits)
  const made: Strip[] = []
  for (const [index, row] of rows.entries()) {
    const cells: SetCell[] = []
    let [column, x] = [0, 0]
    for (const { blocks, pieces, span } of row) {
      const width = sum(set.widths.slice(column, column + span))
      const strips = await press.strips(blocks ?? [paragraph(pieces)], width - 2 * cellPadding, set.type)
      cells.push({ strips, x, width })
      column += span
      x += width
    }
    made.push(rowStrip(cells, set, press, index < headings ? [] : made.slice(0, headings)))
  }
  return made
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
