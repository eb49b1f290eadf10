import { type Block, type Cell, type Table, textIn } from '../flow.ts'
import { type DocxStyles, pointsOf, toggle, valueOf } from './docx-styles.ts'
import type { HtmlElement } from './html-nodes.ts'
import { childOf, elementsIn, findAll, numberOf } from './xml.ts'

const maxSpan = 100

const isLined = (borders: HtmlElement | undefined) =>
  elementsIn(borders).some(({ attribs }) => !/^(none|nil)?$/.test(attribs['w:val'] ?? ''))

function isBare(table: HtmlElement, styles: DocxStyles): boolean {
  const tblPr = childOf(table, 'w:tblPr')
  const borders = childOf(tblPr, 'w:tblBorders') ?? styles.own(valueOf(tblPr, 'w:tblStyle')).table
  return !isLined(borders) && !findAll([table], 'w:tcBorders').some(isLined)
}

const emptyCell = (span: number): Cell => ({ pieces: [], span })

/** A cell of blocks, which is measured by its text. */
export const cellOf = (blocks: readonly Block[], span: number): Cell => ({
  pieces: [{ text: blocks.map(textIn).join('\n') }],
  span,
  blocks,
})

function cellsOf(row: HtmlElement, read: (cell: HtmlElement) => Block[]): Cell[] {
  const trPr = childOf(row, 'w:trPr')
  const gap = (name: string) => {
    const span = Math.min(maxSpan, numberOf(valueOf(trPr, name)) ?? 0)
    return span > 0 ? [emptyCell(span)] : []
  }
  const cells = findAll(row.children, 'w:tc').map((cell) => {
    const tcPr = childOf(cell, 'w:tcPr')
    const span = Math.min(maxSpan, Math.max(1, numberOf(valueOf(tcPr, 'w:gridSpan')) ?? 1))
    const merge = childOf(tcPr, 'w:vMerge')
    if (merge && merge.attribs['w:val'] !== 'restart') return emptyCell(span)
    return cellOf(withoutLastGap(read(cell)), span)
  })
  return [...gap('w:gridBefore'), ...cells, ...gap('w:gridAfter')]
}

/** Every cell ends with a paragraph, which is empty behind a table. */
function withoutLastGap(blocks: Block[]): Block[] {
  const last = blocks.at(-1)
  const isGap = blocks.length > 1 && last?.kind === 'paragraph' && last.pieces.length === 0 && last.marker === undefined
  return isGap && blocks.at(-2)?.kind === 'table' ? blocks.slice(0, -1) : blocks
}

/** A table (ECMA-376-1, 17.4). */
export function readWordTable(table: HtmlElement, read: (cell: HtmlElement) => Block[], styles: DocxStyles): Table[] {
  const rows = findAll(table.children, 'w:tr').filter((row) => !childOf(childOf(row, 'w:trPr'), 'w:del'))
  if (rows.length === 0) return []
  let headings = 0
  while (headings < rows.length - 1 && toggle(childOf(rows[headings], 'w:trPr'), 'w:tblHeader')) headings++
  const widths = elementsIn(childOf(table, 'w:tblGrid'))
    .filter(({ name }) => name === 'w:gridCol')
    .map(({ attribs }) => pointsOf(attribs['w:w']) ?? 0)
  const isKnown = widths.length > 0 && widths.every((width) => width > 0)
  return [
    {
      kind: 'table',
      rows: rows.map((row) => cellsOf(row, read)),
      headings,
      ...(isKnown ? { widths } : {}),
      ...(isBare(table, styles) ? { isBare: true } : {}),
    },
  ]
}
