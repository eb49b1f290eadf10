/** A stretch of text with one look. Line breaks inside it are `\n`. */
export interface Piece {
  text: string
  bold?: boolean
  underlined?: boolean
  struck?: boolean
  /** Smaller, above or below the line: without it 10⁹ reads 109. */
  script?: Script
}

export type Script = 'super' | 'sub'

export type TextStyle = 'title' | 'heading' | 'subheading' | 'body' | 'fixed'

export interface Paragraph {
  kind: 'paragraph'
  pieces: readonly Piece[]
  style: TextStyle
  /** Steps from the left edge. */
  indent: number
  /** Of a list: "•" or "3.", left of the text. */
  marker?: string
}

export interface Cell {
  pieces: readonly Piece[]
  /** Columns it takes. */
  span: number
}

export interface Table {
  kind: 'table'
  rows: readonly (readonly Cell[])[]
  /** Rows at the top that are repeated on every page. */
  headings: number
}

export interface Picture {
  kind: 'picture'
  bytes: Uint8Array
  /** What it shows, for where it cannot be drawn. */
  description: string
}

/** What a document without pages of its own is made of, from top to bottom. */
export type Block = Paragraph | Table | Picture | { kind: 'rule' } | { kind: 'page-break' }

/** A document that was read, with sentences for the sender about what its pages will lack. */
export interface Flow {
  blocks: Block[]
  notes: string[]
}

/** Pieces of plain text. */
export const plain = (text: string): Piece[] => [{ text }]

export const paragraph = (pieces: readonly Piece[], style: TextStyle = 'body', indent = 0): Paragraph => {
  return { kind: 'paragraph', pieces, style, indent }
}

export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

/** The text of a block, for choosing fonts. */
export function textIn(block: Block): string {
  if (block.kind === 'paragraph') return textOf(block.pieces)
  if (block.kind !== 'table') return ''
  return block.rows.flatMap((row) => row.map(({ pieces }) => textOf(pieces))).join(' ')
}
