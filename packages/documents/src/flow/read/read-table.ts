import type { Block, Cell, Paragraph, Piece } from '../flow.ts'
import type { HtmlElement, HtmlNode } from './html-nodes.ts'
import { isElement } from './html-nodes.ts'

type ReadBlocks = (children: readonly HtmlNode[], look: { bold?: boolean }) => Block[]

const parts = new Set(['thead', 'tbody', 'tfoot'])
const maxSpan = 100

const elements = (nodes: readonly HtmlNode[]) => nodes.filter(isElement)

/** The rows of a table, not those of tables inside it; a head first, whichever way it is written. */
function rowsOf(table: HtmlElement): { row: HtmlElement; isHead: boolean }[] {
  return elements(table.children).flatMap((child) => {
    if (child.name === 'tr') return [{ row: child, isHead: false }]
    if (!parts.has(child.name)) return []
    const rows = elements(child.children).filter(({ name }) => name === 'tr')
    return rows.map((row) => ({ row, isHead: child.name === 'thead' }))
  })
}

function spanOf({ attribs }: HtmlElement, way: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attribs[way] ?? '1', 10)
  return Number.isFinite(span) ? Math.min(maxSpan, Math.max(1, span)) : 1
}

/** Paragraphs of a cell as one text. */
function piecesOf(paragraphs: readonly Paragraph[]): Piece[] {
  return paragraphs.flatMap(({ pieces, marker }, index) => {
    const start = [...(index > 0 ? [{ text: '\n' }] : []), ...(marker === undefined ? [] : [{ text: `${marker} ` }])]
    return [...start, ...pieces]
  })
}

interface ReadCell {
  cell: HtmlElement
  blocks: readonly Block[]
}

const isParagraph = (block: Block): block is Paragraph => block.kind === 'paragraph'

/** Rows of a grid: where a cell reaches down, the rows below it have an empty one in its columns. */
function gridOf(rows: readonly (readonly ReadCell[])[]): Cell[][] {
  /** Rows that each column is still taken for. */
  const taken: number[] = []
  return rows.map((row) => {
    const cells: Cell[] = []
    let column = 0
    const skip = () => {
      for (; (taken[column] ?? 0) > 0; column++) {
        taken[column]! -= 1
        cells.push({ pieces: [], span: 1 })
      }
    }
    for (const { cell, blocks } of row) {
      skip()
      const span = spanOf(cell, 'colspan')
      for (let end = column + span; column < end; column++) taken[column] = spanOf(cell, 'rowspan') - 1
      cells.push({ pieces: piecesOf(blocks.filter(isParagraph)), span })
    }
    skip()
    return cells
  })
}

/**
 * A table as blocks: one table where it holds facts, and its cells below each other where it only places other things,
 * as mails and old pages do. Undefined when it has no rows.
 */
export function readTable(table: HtmlElement, read: ReadBlocks): Block[] | undefined {
  const rows = rowsOf(table)
  if (rows.length === 0) return undefined
  const caption = elements(table.children).find(({ name }) => name === 'caption')
  const above = caption ? read(caption.children, { bold: true }) : []
  const cells = rows.map(({ row }) =>
    elements(row.children)
      .filter(({ name }) => name === 'td' || name === 'th')
      .map((cell) => ({ cell, blocks: read(cell.children, cell.name === 'th' ? { bold: true } : {}) })),
  )
  const isLayout = cells.every((row) => row.length < 2) || cells.flat().some(({ blocks }) => !blocks.every(isParagraph))
  if (isLayout) return [...above, ...cells.flat().flatMap(({ blocks }) => blocks)]
  const isHeading = (index: number) =>
    rows[index]!.isHead || (cells[index]!.length > 0 && cells[index]!.every(({ cell }) => cell.name === 'th'))
  let headings = 0
  while (headings < rows.length - 1 && isHeading(headings)) headings++
  return [...above, { kind: 'table', rows: gridOf(cells), headings }]
}
