import type { Size } from '../raster/paper.ts'
import type { NumberFormat } from './number-format.ts'
import type { Outline } from './outlines.ts'

/** A stretch of text with one look. Line breaks inside it are `\n`, tabs `\t`. */
export interface Piece {
  text: string
  bold?: boolean
  underlined?: boolean
  struck?: boolean
  /** Smaller, above or below the line: without it 10⁹ reads 109. */
  script?: Script
  /** Replaced on each page by its number, or by how many there are. */
  field?: 'page' | 'pages'
  /** A footnote, with its mark at its start: it stands at the foot of the page that this piece, its mark, is on. */
  note?: readonly Paragraph[]
}

export type Script = 'super' | 'sub'

export type TextStyle = 'title' | 'heading' | 'subheading' | 'body' | 'fixed'

export type Align = 'left' | 'center' | 'right' | 'justify'

export interface TabStop {
  /** Points from the left margin. */
  at: number
  align: 'left' | 'center' | 'right'
}

/** How a document places a paragraph, in points; what is missing is as `style` and `indent` have it. */
export interface ParagraphFormat {
  align?: Align
  /** From the margins. */
  left?: number
  right?: number
  /** Of the first line, from `left`: less than 0 where it hangs. The marker of a list begins there. */
  first?: number
  above?: number
  below?: number
  /** Of the type. */
  size?: number
  /** The least from line to line. */
  leading?: number
  /** From line to line, in shares of what is usual. */
  spacing?: number
  /** Stands on the page of what follows. */
  keepsNext?: boolean
  tabs?: readonly TabStop[]
}

export interface Paragraph {
  kind: 'paragraph'
  pieces: readonly Piece[]
  style: TextStyle
  /** Steps from the left edge. */
  indent: number
  /** Of a list, as it is shown: "•", "3." or "1.2.c)", left of the text. */
  marker?: string
  format?: ParagraphFormat
}

export interface Cell {
  pieces: readonly Piece[]
  /** Columns it takes. */
  span: number
  /** What is in it, where that is more than text; `pieces` are then its text alone. */
  blocks?: readonly Block[]
}

export interface Table {
  kind: 'table'
  rows: readonly (readonly Cell[])[]
  /** Rows at the top that are repeated on every page. */
  headings: number
  /** Of the columns as the document has them, in points. */
  widths?: readonly number[]
  /** A table that only places text has no lines. */
  isBare?: boolean
}

export interface Picture {
  kind: 'picture'
  bytes: Uint8Array
  /** What it shows, for where it cannot be drawn. */
  description: string
  /** In points; its own where the document does not say. */
  size?: Size
  align?: Align
}

/** Where a drawing is along one axis, in points: from the edge of the page, the margin, or where the text has come to. */
export interface Offset {
  from: 'page' | 'margin' | 'text'
  at: number | 'start' | 'center' | 'end'
}

/** Part of a drawing, in points from its top left corner. */
export interface Shape extends Size {
  x: number
  y: number
  /** Missing: nothing but what is in it. A line runs from the top left to the bottom right corner unless it is flipped. */
  outline?: Outline
  isFlippedAcross?: boolean
  isFlippedDown?: boolean
  /** The ends of a line that have an arrow. */
  arrows?: { start?: boolean; end?: boolean }
  /** Hides what is behind it. */
  isFilled?: boolean
  text?: readonly Block[]
  /** Where the text is in the shape; "top" where it is missing. */
  textAt?: 'middle' | 'bottom'
  picture?: Uint8Array
}

/** Text boxes, shapes and pictures that are placed together. */
export interface Drawing extends Size {
  kind: 'drawing'
  shapes: readonly Shape[]
  /** Missing: it stands in the text, which goes on below it. */
  place?: { x: Offset; y: Offset }
  /** Whether text keeps clear of it. */
  wraps?: boolean
}

/** What stands above or below the text of every page; `first` and `even` only where these pages have their own, if empty. */
export interface Bands {
  usual?: readonly Block[]
  first?: readonly Block[]
  even?: readonly Block[]
}

/** Begins a part of the document with pages of its own. */
export interface Section {
  kind: 'section'
  /** In points, with the margins of the text, and where headers and footers begin; the fax paper where it is missing. */
  page?: PageShape
  columns?: { count: number; gap: number }
  header?: Bands
  footer?: Bands
  /** Goes on where the text has come to. */
  isContinuous?: boolean
  /** The number of its first page. */
  firstNumber?: number
  numbers?: NumberFormat
}

export interface PageShape extends Size {
  top: number
  right: number
  bottom: number
  left: number
  /** From the top edge to the header, and from the bottom edge to the footer. */
  header: number
  footer: number
}

/** What a document without pages of its own is made of, from top to bottom. */
export type Block = Paragraph | Table | Picture | Drawing | Section | { kind: 'rule' | 'page-break' | 'column-break' }

/** What this way to lay documents out does not draw. */
export type Undrawn = 'chart' | 'equation' | 'diagram' | 'drawing' | 'embedded object' | 'picture'

/** A document that was read, with sentences for the sender about what its pages will lack. */
export interface Flow {
  blocks: Block[]
  notes: string[]
  /** Each thing in it that is not drawn: `makeFlowPdf` makes the sentence. */
  undrawn?: readonly Undrawn[]
}

/** Pieces of plain text. */
export const plain = (text: string): Piece[] => [{ text }]

export const paragraph = (pieces: readonly Piece[], style: TextStyle = 'body', indent = 0): Paragraph => {
  return { kind: 'paragraph', pieces, style, indent }
}

export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

/** The paragraphs among some blocks as one text, a line each. */
export const piecesIn = (blocks: readonly Block[]): Piece[] =>
  blocks
    .filter((block) => block.kind === 'paragraph')
    .flatMap(({ pieces, marker }, index) => {
      const start = [...(index > 0 ? [{ text: '\n' }] : []), ...(marker === undefined ? [] : [{ text: `${marker} ` }])]
      return [...start, ...pieces]
    })

/** The text of a block, for choosing fonts. */
export function textIn(block: Block): string {
  if (block.kind === 'paragraph') return (block.marker ?? '') + textOf(block.pieces) + notesIn(block.pieces)
  if (block.kind === 'table')
    return block.rows
      .flat()
      .map(({ pieces }) => textOf(pieces) + notesIn(pieces))
      .join(' ')
  if (block.kind === 'drawing') return block.shapes.map(({ text = [] }) => text.map(textIn).join(' ')).join(' ')
  if (block.kind !== 'section') return ''
  const bands = [block.header, block.footer].flatMap((each) => [each?.usual, each?.first, each?.even])
  return bands.flatMap((blocks = []) => blocks.map(textIn)).join(' ')
}

const notesIn = (pieces: readonly Piece[]) => pieces.flatMap(({ note = [] }) => note.map(textIn)).join(' ')

/** A PDF that was made of a document, with sentences for the sender about what it lacks. */
export interface Made {
  pdf: Uint8Array
  notes: readonly string[]
}
