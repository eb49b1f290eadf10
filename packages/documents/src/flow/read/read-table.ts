import { type Block, type Cell, piecesIn } from '../flow.ts'
import { type HtmlElement, type HtmlNode, isElement, isHidden } from './html-nodes.ts'

type ReadBlocks = (children: readonly HtmlNode[], look: { bold?: boolean }) => Block[]

/** What holds rows. Old pages put a form between a table and its rows. */
const parts = new Set(['thead', 'tbody', 'tfoot', 'form'])
const columns = new Set(['colgroup', 'col'])
const maxSpan = 100

interface Row {
  row: HtmlElement
  isHead: boolean
}

/**
 * The rows of a table, not those of tables inside it; a head first, whichever way it is written. What stands between them
 * without being a row is `stray`: browsers show it above the table.
 */
function rowsOf(nodes: readonly HtmlNode[], isHead: boolean, stray: HtmlNode[]): Row[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) {
      stray.push(node)
      return []
    }
    if (isHidden(node) || columns.has(node.name)) return []
    if (node.name === 'tr') return [{ row: node, isHead }]
    if (parts.has(node.name)) return rowsOf(node.children, isHead || node.name === 'thead', stray)
    stray.push(node)
    return []
  })
}

function spanOf({ attribs }: HtmlElement, way: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attribs[way] ?? '1', 10)
  return Number.isFinite(span) ? Math.min(maxSpan, Math.max(1, span)) : 1
}

interface ReadCell {
  /** Columns and rows that it takes. */
  across: number
  down: number
  isHead: boolean
  blocks: readonly Block[]
}

/** The cells of a row; what stands in it without being in a cell is one. */
function cellsOf({ children }: HtmlElement, read: ReadBlocks): ReadCell[] {
  return children.flatMap((node) => {
    if (isElement(node) && isHidden(node)) return []
    if (isElement(node) && (node.name === 'td' || node.name === 'th')) {
      const isHead = node.name === 'th'
      const blocks = read(node.children, isHead ? { bold: true } : {})
      return [{ across: spanOf(node, 'colspan'), down: spanOf(node, 'rowspan'), isHead, blocks }]
    }
    const blocks = read([node], {})
    return blocks.length > 0 ? [{ across: 1, down: 1, isHead: false, blocks }] : []
  })
}

const isParagraph = (block: Block) => block.kind === 'paragraph'

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
    for (const { across, down, blocks } of row) {
      skip()
      for (let end = column + across; column < end; column++) taken[column] = down - 1
      cells.push({ pieces: piecesIn(blocks), span: across })
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
  const stray: HtmlNode[] = []
  const rows = rowsOf(table.children, false, stray)
  if (rows.length === 0) return undefined
  const isCaption = (node: HtmlNode) => isElement(node) && node.name === 'caption'
  const above = [
    ...read(
      stray.filter((node) => !isCaption(node)),
      {},
    ),
    ...stray
      .filter(isElement)
      .filter(isCaption)
      .flatMap(({ children }) => read(children, { bold: true })),
  ]
  const cells = rows.map(({ row }) => cellsOf(row, read))
  const isLayout = cells.every((row) => row.length < 2) || cells.flat().some(({ blocks }) => !blocks.every(isParagraph))
  if (isLayout) return [...above, ...cells.flat().flatMap(({ blocks }) => blocks)]
  const isHeading = (index: number) =>
    rows[index]!.isHead || (cells[index]!.length > 0 && cells[index]!.every(({ isHead }) => isHead))
  let headings = 0
  while (headings < rows.length - 1 && isHeading(headings)) headings++
  return [...above, { kind: 'table', rows: gridOf(cells), headings }]
}
