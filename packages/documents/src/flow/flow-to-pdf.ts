import { embedGray } from '../images/picture-pdf.ts'
import { naturalSize } from '../images/image-pages.ts'
import { readHeader } from '../images/image-read.ts'
import { readPictureFile } from '../images/picture-file.ts'
import type { Limits } from '../base/limits.ts'
import { checkPages } from '../base/limits.ts'
import type { PdfImage } from '../pdf-file/image.ts'
import { paperPoints } from '../raster/paper.ts'
import type { Paper, Size } from '../raster/paper.ts'
import { DocumentProblem } from '../base/problem.ts'
import { chooseFonts } from '../fonts/system-fonts.ts'
import { Typesetter } from '../text/typeset.ts'
import type { Block, Paragraph, Picture, Table, TextStyle } from './flow.ts'
import { paragraph, plain, textIn } from './flow.ts'
import type { Line, Type } from './lines.ts'
import { breakLines, drawLine } from './lines.ts'
import { asRecords, cellPadding, type SetRow, type SetTable, setTable } from './set-table.ts'
import { placeWide } from './wide-table.ts'

const margin = 54
const indentStep = 20
const ruleHeight = 0.75
/** Half an inch of a long picture stands on two pages. */
const sharedHeight = 36

const types: Readonly<Record<TextStyle, Type & { above: number; below: number }>> = {
  title: { size: 18, leading: 23, bold: true, above: 8, below: 8 },
  heading: { size: 14.5, leading: 19, bold: true, above: 8, below: 6 },
  subheading: { size: 12, leading: 16, bold: true, above: 6, below: 4 },
  body: { size: 11, leading: 15, above: 0, below: 7 },
  fixed: { size: 10, leading: 13, fixed: true, above: 0, below: 7 },
}

/**
 * What becomes of tables that are too wide for upright pages: a list of values for each row, or pages on their side with
 * some of the columns each.
 */
export type WideTables = 'records' | 'landscape'

/** Puts blocks on pages, from the top, and begins a page where one does not fit. */
class Layout {
  readonly #typesetter = new Typesetter()
  readonly #limits: Limits
  readonly #wideTables: WideTables
  #paper: Size
  #pages = 0
  #top: number

  constructor(paper: Paper, limits: Limits, wideTables: WideTables) {
    this.#paper = paperPoints[paper]
    this.#limits = limits
    this.#wideTables = wideTables
    this.#top = this.#paper.height - margin
  }

  get #width(): number {
    return this.#paper.width - 2 * margin
  }

  async set(blocks: readonly Block[]): Promise<Uint8Array> {
    for (const block of blocks) await this.#setBlock(block)
    if (!this.#isEmpty || this.#pages === 0) this.#endPage()
    return this.#typesetter.finish()
  }

  async #setBlock(block: Block): Promise<void> {
    if (block.kind === 'paragraph') this.#paragraph(block)
    else if (block.kind === 'table') this.#table(block)
    else if (block.kind === 'picture') await this.#picture(block)
    else if (block.kind === 'rule') this.#rule()
    else if (!this.#isEmpty) this.#endPage()
  }

  get #isEmpty(): boolean {
    return this.#top === this.#paper.height - margin
  }

  #endPage(): void {
    this.#typesetter.endPage(this.#paper.width, this.#paper.height)
    this.#pages += 1
    checkPages(this.#pages, this.#limits)
    this.#top = this.#paper.height - margin
  }

  /** Room for so much, on the next page where this one has none. */
  #reserve(height: number): void {
    if (this.#top - height < margin && !this.#isEmpty) this.#endPage()
  }

  #space(height: number): void {
    if (!this.#isEmpty) this.#top = Math.max(margin, this.#top - height)
  }

  #paragraph({ pieces, style, indent, marker }: Paragraph): void {
    const type = types[style]
    const shift = Math.min(indent * indentStep, this.#width / 2)
    const [x, width] = [margin + shift, this.#width - shift]
    this.#space(type.above)
    const lines = breakLines(pieces, type, width)
    // A heading stands above what it is about.
    this.#reserve(type.leading * (type.bold ? lines.length + 2 : Math.min(2, lines.length)))
    lines.forEach((line, index) => {
      this.#reserve(type.leading)
      const y = this.#top - type.size
      if (index === 0 && marker !== undefined) {
        drawLine(this.#typesetter, { pieces: [{ text: marker }], rightToLeft: false }, { x: x - 15, y, width }, type)
      }
      drawLine(this.#typesetter, line, { x, y, width }, type)
      this.#top -= type.leading
    })
    this.#space(type.below)
  }

  #rule(): void {
    this.#reserve(12)
    this.#typesetter.bar(margin, this.#top - 6, this.#width, ruleHeight)
    this.#top -= 12
  }

  /** Pages from here on lie on their side, or stand again. */
  #turn(isLandscape: boolean): void {
    const { width, height } = this.#paper
    if (width > height === isLandscape) return
    if (!this.#isEmpty) this.#endPage()
    this.#paper = { width: height, height: width }
    this.#top = width - margin
  }

  #table(table: Table): void {
    const set = setTable(table, this.#width)
    if (set) this.#rows(set)
    else if (this.#wideTables === 'landscape') this.#wideTable(table)
    else for (const record of asRecords(table)) this.#paragraph(record)
  }

  #wideTable(table: Table): void {
    for (const { set, caption } of placeWide(table, this.#paper.height - 2 * margin)) {
      this.#turn(true)
      if (caption !== undefined) this.#paragraph(paragraph([{ text: caption, bold: true }]))
      this.#rows(set)
    }
    this.#turn(false)
  }

  #rows(set: SetTable): void {
    const heading = set.rows.slice(0, set.headings)
    heading.forEach((row) => this.#row(set, row, []))
    for (const row of set.rows.slice(set.headings)) this.#row(set, row, heading)
    this.#space(types.body.below)
  }

  /** A row, cut where the page ends; the heading is repeated on the next. */
  #row(set: SetTable, row: SetRow, heading: readonly SetRow[]): void {
    const { leading } = set.type
    const turn = () => {
      this.#endPage()
      for (const each of heading) this.#rowLines(set, each, 0, each.lines)
    }
    const fits = () => Math.floor((this.#top - margin - 2 * cellPadding) / leading)
    // A short row is not torn apart.
    if (fits() < Math.min(row.lines, 12) && !this.#isEmpty) turn()
    for (let from = 0; from < row.lines;) {
      const count = Math.max(1, Math.min(row.lines - from, fits()))
      this.#rowLines(set, row, from, from + count)
      from += count
      if (from < row.lines) turn()
    }
  }

  #rowLines({ type, width }: SetTable, row: SetRow, from: number, to: number): void {
    const height = (to - from) * type.leading + 2 * cellPadding
    const bottom = this.#top - height
    for (const { lines, x, width: across } of row.cells) {
      lines.slice(from, to).forEach((line: Line, index) => {
        const y = this.#top - cellPadding - index * type.leading - type.size
        const at = { x: margin + x + cellPadding, y, width: across - 2 * cellPadding }
        drawLine(this.#typesetter, line, at, type)
      })
      this.#typesetter.box(margin + x, bottom, across, height)
    }
    if (row.cells.length === 0) this.#typesetter.box(margin, bottom, width, height)
    this.#top = bottom
  }

  async #picture({ bytes, description }: Picture): Promise<void> {
    try {
      const file = await readPictureFile(bytes, this.#limits)
      if (!file) {
        this.#describe(description)
        return
      }
      const image = { ...file, page: 0, limits: this.#limits }
      const header = await readHeader(image)
      const size = naturalSize(header)
      const [wide, room] = [Math.min(1, this.#width / size.width), this.#paper.height - 2 * margin]
      const isLong = size.height * wide > 2 * room
      const scale = isLong ? wide : Math.min(wide, room / size.height)
      const placed = { width: size.width * scale, height: size.height * scale }
      const drawn = await embedGray(image, header, placed)
      if (isLong) {
        this.#longPicture(drawn, placed)
        return
      }
      this.#reserve(placed.height)
      this.#typesetter.picture(drawn, margin, this.#top - placed.height, placed.width, placed.height)
      this.#top -= placed.height
      this.#space(types.body.below)
    } catch (error) {
      // A document is not refused for one picture, unless it is too large to be handled at all.
      if (!(error instanceof DocumentProblem) || !['broken', 'unsupported'].includes(error.code)) throw error
      this.#describe(description)
    }
  }

  /** A picture that would be less than half as large on one page, such as that of a long conversation, on several. */
  #longPicture(drawn: PdfImage, { width, height }: Size): void {
    if (!this.#isEmpty) this.#endPage()
    const picture = this.#typesetter.keep(drawn)
    const paper = this.#paper.height
    for (let from = 0; from < height - sharedHeight; from += paper - sharedHeight) {
      if (from > 0) this.#endPage()
      this.#typesetter.picture(picture, margin, paper + from - height, width, height)
      this.#top = Math.max(margin, paper + from - height)
    }
  }

  /** Says in words what cannot be drawn. */
  #describe(description: string): void {
    this.#paragraph(paragraph(plain(`[${description.trim() || 'Unreadable picture'}]`)))
  }
}

/**
 * Lays blocks out on pages as a PDF with its fonts embedded. Pages on their side are not for `openOwnPdf`.
 * @throws {DocumentProblem} `empty` when there is nothing to see, `too_many_pages`, `too_large` for a picture
 */
export async function flowToPdf(
  blocks: readonly Block[],
  paper: Paper,
  limits: Limits,
  wideTables: WideTables = 'records',
): Promise<Uint8Array> {
  const text = blocks.map(textIn).join(' ')
  if (text.trim() === '' && !blocks.some(({ kind }) => kind === 'picture')) {
    throw new DocumentProblem('empty', 'The document is blank. Choose another file.')
  }
  chooseFonts(text)
  return new Layout(paper, limits, wideTables).set(blocks)
}
