import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  align?: 'end'
  /** CSS width; columns without one share the rest. Long values end in "…". */
  width?: string
  /** No value is wider than the column: then the end of none is looked for, which long lists feel. */
  fits?: true
  /**
   * On a card: what it begins with, its heading (which also opens it), beside the heading, its foot, not at all, or a
   * line with its label, which is left out where there is nothing but a dash to show.
   */
  card?: 'lead' | 'title' | 'side' | 'foot' | 'hidden'
  /** What rows are sorted by when its heading is pressed. */
  sort?: string
}

export interface TableOrder {
  sort: string
  direction: 'asc' | 'desc'
}

export interface Selection {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** A table that scrolls in a frame of its own instead of with the page. */
export interface TableFrame {
  /** CSS height it does not outgrow. */
  maxHeight: string
  /** CSS width below which it scrolls sideways. */
  minWidth?: string
  /** Told whether the first row has been scrolled away. */
  onScrolled?: (scrolled: boolean) => void
}

export interface TableProps<Row> {
  /** What the table lists: "Fax jobs". */
  label: string
  rows: readonly Row[]
  idOf: (row: Row) => string
  /** In words, for the row's controls: "fax 6f1c0d2e". */
  nameOf: (row: Row) => string
  /** One column has `card: 'title'`. */
  columns: readonly Column<Row>[]
  onOpen?: (row: Row) => void
  /** The id of the row whose details are open. */
  current?: string | undefined
  selection?: Selection
  /** What the rows are sorted by, where headings can be pressed. */
  order?: TableOrder
  onSort?: (order: TableOrder) => void
  /** The head stays in view while the page scrolls, where the table is not wider than the page. */
  stickyHead?: boolean
  /** Only where there is room for a table. */
  frame?: TableFrame
}
