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
  /** On a card: its heading (which also opens it), beside the heading, its foot, not at all, or a line with its label. */
  card?: 'title' | 'side' | 'foot' | 'hidden'
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
  /** Only where there is room for a table. */
  frame?: TableFrame
}
