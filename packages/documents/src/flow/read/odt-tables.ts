import type { Block, Cell, Table } from '../flow.ts'
import { cellOf } from './docx-tables.ts'
import type { HtmlElement } from './html-nodes.ts'
import { lengthOf, type OdtStyles } from './odt-styles.ts'
import { elementsIn, findAll, numberOf } from './xml.ts'

/** Empty ones that fill a page are left out. */
const maxRepeated = { rows: 10, columns: 64 }

const countOf = (text: string | undefined, max = maxRepeated.columns) => Math.min(max, Math.max(1, numberOf(text) ?? 1))

function cellsOf(row: HtmlElement, read: (cell: HtmlElement) => Block[]): Cell[] {
  /** Columns that a cell before takes. */
  let covered = 0
  return elementsIn(row).flatMap((cell): Cell[] => {
    const { name, attribs } = cell
    const repeated = countOf(attribs['table:number-columns-repeated'])
    if (name === 'table:covered-table-cell') {
      const free = Math.max(0, repeated - covered)
      covered = Math.max(0, covered - repeated)
      return Array.from({ length: free }, () => ({ pieces: [], span: 1 }))
    }
    if (name !== 'table:table-cell') return []
    const span = countOf(attribs['table:number-columns-spanned'])
    covered = span - 1
    const blocks = read(cell)
    return Array.from({ length: repeated }, () => cellOf(blocks, span))
  })
}

/** A table (ISO/IEC 26300-1, 9). */
export function readOdtTable(table: HtmlElement, read: (cell: HtmlElement) => Block[], styles: OdtStyles): Table[] {
  const heads = new Set(
    findAll(table.children, 'table:table-header-rows').flatMap(({ children }) => findAll(children, 'table:table-row')),
  )
  const rows = findAll(table.children, 'table:table-row')
  if (rows.length === 0) return []
  let headings = 0
  while (headings < rows.length - 1 && heads.has(rows[headings]!)) headings++
  const widths = findAll(table.children, 'table:table-column').flatMap(({ attribs }) => {
    const width =
      lengthOf(styles.get('table-column', attribs['table:style-name']).properties['style:column-width']) ?? 0
    return Array.from({ length: countOf(attribs['table:number-columns-repeated']) }, () => width)
  })
  const isLined = findAll(table.children, 'table:table-cell').some(({ attribs }) => {
    const { properties } = styles.get('table-cell', attribs['table:style-name'])
    return Object.entries(properties).some(
      ([name, value]) => /^fo:border(-(top|bottom|left|right))?$/.test(name) && !/^(none|hidden)/.test(value),
    )
  })
  return [
    {
      kind: 'table',
      rows: rows.flatMap((row) => {
        const cells = cellsOf(row, read)
        return Array.from({ length: countOf(row.attribs['table:number-rows-repeated'], maxRepeated.rows) }, () => cells)
      }),
      headings,
      ...(widths.length > 0 && widths.every((width) => width > 0) ? { widths } : {}),
      ...(isLined ? {} : { isBare: true }),
    },
  ]
}
