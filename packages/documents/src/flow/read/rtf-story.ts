import {
  type Block,
  type Cell,
  type Paragraph,
  type ParagraphFormat,
  type Piece,
  piecesIn,
  type Table,
} from '../flow.ts'

/** How a paragraph stands, with the depth of the table that it is in. */
export interface ParagraphState extends ParagraphFormat {
  depth: number
  list: number
  level: number
  breaksPage?: boolean
}

/** The right edge of a cell in points, and whether it is one with the cell before it. */
interface CellEdge {
  right: number
  isMerged: boolean
}

/** A row as it was announced. */
export interface RowShape {
  left: number
  cells: CellEdge[]
  isHeading: boolean
  hasLines: boolean
}

export const newRow = (): RowShape => ({ left: 0, cells: [], isHeading: false, hasLines: false })

interface Row {
  cells: Block[][]
  shape: RowShape
}

interface Level {
  rows: Row[]
  cells: Block[][]
  blocks: Block[]
}

/** Edges that are nearer to each other are one. */
const sameEdge = 3

/** Text that runs on by itself: the document, a header, a note, a text box. Tables stand in each other. */
export class RtfStory {
  /** The text itself, and for each table that is open in it or in a cell, what its cell holds so far. */
  readonly #levels: Level[] = [{ rows: [], cells: [], blocks: [] }]
  #pieces: Piece[] = []
  #look: object | undefined
  /** Characters by the size of their type. */
  #sizes = new Map<number, number>()
  marker: string | undefined
  /** Pieces that become the marks of the next note. */
  readonly marks: Piece[] = []

  get pieces(): readonly Piece[] {
    return this.#pieces
  }

  /** Text of a look; of the same look as before, it goes on. */
  append(piece: Piece, look: object, size: number): void {
    const last = this.#pieces.at(-1)
    if (last && look === this.#look && !piece.field) last.text += piece.text
    else this.#pieces.push(piece)
    this.#look = piece.field ? undefined : look
    this.#sizes.set(size, (this.#sizes.get(size) ?? 0) + piece.text.length)
  }

  /** The mark of a note, which is not known yet. */
  appendMark(): void {
    const mark: Piece = { text: '', script: 'super' }
    this.marks.push(mark)
    this.#pieces.push(mark)
    this.#look = undefined
  }

  /** Whether what was written last looks like a mark that its writer chose. */
  endsInMark(): boolean {
    const last = this.#pieces.at(-1)
    return last !== undefined && !last.note && (last.script === 'super' || /[*†‡§¶#]$/.test(last.text))
  }

  /** The last character as a piece of its own: the mark of a note whose writer chose it. */
  lastSign(): Piece {
    const last = this.#pieces.at(-1)
    const sign = Array.from(last?.text ?? '').at(-1) ?? ''
    const own: Piece = { ...last, text: sign }
    if (last) last.text = last.text.slice(0, last.text.length - sign.length)
    this.#pieces.push(own)
    this.#look = undefined
    return own
  }

  /** A picture, drawing or break, where the text has come to. */
  place(block: Block, depth: number): void {
    this.#blocksAt(depth).push(block)
  }

  endParagraph({ depth, breaksPage, ...state }: ParagraphState): void {
    const { align, left, right, first, above = 0, below = 0, spacing, keepsNext, tabs } = state
    const format = { align, left, right, first, above, below, spacing, keepsNext, tabs }
    const blocks = this.#blocksAt(depth)
    if (breaksPage && depth === 0 && blocks.length > 0) blocks.push({ kind: 'page-break' })
    const size = [...this.#sizes].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 12
    const paragraph: Paragraph = {
      ...{ kind: 'paragraph', pieces: this.#pieces, style: 'body', indent: 0 },
      ...(this.marker ? { marker: this.marker } : {}),
      format: {
        ...(Object.fromEntries(Object.entries(format).filter(([, value]) => value !== undefined)) as ParagraphFormat),
        size,
      },
    }
    blocks.push(paragraph)
    this.#begin()
  }

  #begin(): void {
    this.#pieces = []
    this.#sizes = new Map()
    this.#look = undefined
    this.marker = undefined
  }

  /** The depth of a paragraph: some writers say only of the first cell of a row that it is one. */
  depthOf({ depth }: ParagraphState): number {
    return Math.max(depth, this.#levels[1] && this.#levels[1].cells.length > 0 ? 1 : 0)
  }

  endCell(state: ParagraphState, depth: number): void {
    const level = this.#levelAt(depth)
    if (this.#pieces.length > 0 || this.marker !== undefined) this.endParagraph({ ...state, depth })
    level.cells.push(level.blocks)
    level.blocks = []
  }

  endRow(depth: number, shape: RowShape): void {
    const level = this.#levelAt(depth)
    if (level.cells.length > 0) level.rows.push({ cells: level.cells, shape })
    level.cells = []
  }

  isBlank = (): boolean =>
    this.#pieces.length === 0 && this.#levels.length === 1 && this.#levels[0]!.blocks.length === 0

  /** All of it, at the end of a document without the empty lines there. */
  finish(state: ParagraphState, isLast = true): Block[] {
    if (this.#pieces.length > 0) this.endParagraph(state)
    const blocks = this.#blocksAt(0)
    const isBlank = (block: Block) =>
      block.kind === 'paragraph' && block.pieces.length === 0 && block.marker === undefined
    while (isLast && blocks.length > 0 && isBlank(blocks.at(-1)!)) blocks.pop()
    return blocks
  }

  #blocksAt(depth: number): Block[] {
    return this.#levelAt(depth).blocks
  }

  /** Ends the tables that are open deeper, and opens one. */
  #levelAt(depth: number): Level {
    while (this.#levels.length > depth + 1) this.#endTable()
    while (this.#levels.length <= depth) this.#levels.push({ rows: [], cells: [], blocks: [] })
    return this.#levels[depth]!
  }

  #endTable(): void {
    const { rows, cells, blocks } = this.#levels.pop()!
    const last = [...cells, ...(blocks.length > 0 ? [blocks] : [])]
    if (last.length > 0) rows.push({ cells: last, shape: newRow() })
    if (rows.length > 0) this.#levels.at(-1)!.blocks.push(tableOf(rows))
  }
}

/** The columns of a table begin wherever a cell of any row does. */
function tableOf(rows: readonly Row[]): Table {
  const all = rows.flatMap(({ shape }) => [shape.left, ...shape.cells.map(({ right }) => right)])
  const edges: number[] = []
  for (const edge of all.sort((a, b) => a - b)) if (edge - (edges.at(-1) ?? -Infinity) > sameEdge) edges.push(edge)
  const columnOf = (edge: number) => edges.findLastIndex((each) => each <= edge)
  const isHeading = rows.findIndex(({ shape }) => !shape.isHeading)
  return {
    kind: 'table',
    rows: rows.map((row) => cellsOf(row, columnOf)),
    headings: isHeading < 0 ? rows.length - 1 : isHeading,
    ...(edges.length > 1 ? { widths: edges.slice(1).map((edge, at) => edge - edges[at]!) } : {}),
    isBare: !rows.some(({ shape }) => shape.hasLines),
  }
}

function cellsOf({ cells, shape }: Row, columnOf: (edge: number) => number): Cell[] {
  const made: { blocks: Block[]; span: number }[] = []
  let column = Math.max(0, columnOf(shape.left))
  if (column > 0) made.push({ blocks: [], span: column })
  cells.forEach((blocks, at) => {
    const edge = shape.cells[at]
    const end = edge ? Math.max(column + 1, columnOf(edge.right)) : column + 1
    const before = made.at(-1)
    if (edge?.isMerged && before) {
      before.blocks.push(...blocks)
      before.span += end - column
    } else made.push({ blocks, span: end - column })
    column = end
  })
  return made.map(({ blocks, span }) => cellOf(blocks, span))
}

function cellOf(blocks: readonly Block[], span: number): Cell {
  const [only] = blocks
  const isPlain =
    !only || (only.kind === 'paragraph' && only.marker === undefined && (only.format?.align ?? 'left') === 'left')
  return { pieces: piecesIn(blocks), span, ...(isPlain && blocks.length < 2 ? {} : { blocks }) }
}
