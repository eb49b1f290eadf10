import { checkPages, type Limits } from '../base/limits.ts'
import { type Paper, paperPoints } from '../raster/paper.ts'
import { Typesetter } from '../text/typeset.ts'
import { boxOf } from './drawings.ts'
import { type Bands, type Block, type Drawing, type PageShape, paragraph, type Section, type Table } from './flow.ts'
import { paragraphStrips } from './paragraph-strips.ts'
import { setTable, tableStrips } from './set-table.ts'
import { drawStrips, heightOf, type Press, space, type Spot, type Strip } from './strip.ts'
import { createPress } from './strips.ts'
import { placeWide } from './wide-table.ts'
import { Zones } from './zones.ts'

const margin = 54
/** Of the rule above footnotes. */
const noteRule = { width: 144, height: 8 }
/** The least height that headers and footers leave for the text. */
const minRoom = 100

/**
 * How tables are set that are too wide for upright pages: a list of values for each row, or pages on their side with
 * some of the columns each.
 */
export type WideTables = 'records' | 'landscape'

const shapeOf = (paper: Paper): PageShape => {
  return { ...paperPoints[paper], top: margin, right: margin, bottom: margin, left: margin, header: 36, footer: 36 }
}

/** Puts blocks on pages, from the top, and begins a page where one does not fit. */
export class Layout {
  readonly #typesetter = new Typesetter()
  readonly #press: Press
  readonly #wideTables: WideTables
  readonly #usual: PageShape
  /** How many pages there are, for fields. */
  readonly #total: number
  #section: Section = { kind: 'section' }
  #page: PageShape
  /** Whose header and footer the page has. */
  #owner = this.#section
  #isFirst = true
  #number = 1
  #column = 0
  #top = 0
  #bottom = 0
  /** Where the columns of the section begin on this page, where they end when they are of one length, and the lowest that one came. */
  #columnTop = 0
  #columnBottom = 0
  #lowest = 0
  #isEmpty = true
  #head: Strip[] = []
  #notes: Strip[] = []
  /** Of footnotes that had no room on their page. */
  #carried: Strip[] = []
  #zones = new Zones()
  pages = 0

  constructor(paper: Paper, limits: Limits, wideTables: WideTables, total: number) {
    this.#press = createPress(this.#typesetter, limits)
    this.#wideTables = wideTables
    this.#usual = shapeOf(paper)
    this.#page = this.#usual
    this.#total = total
  }

  async set(blocks: readonly Block[]): Promise<Uint8Array> {
    await this.#beginPage()
    for (const [index, block] of blocks.entries()) {
      if (block.kind === 'section') await this.#beginSection(block, blocks, index)
      else await this.#setBlock(block)
    }
    if (!this.#isEmpty || this.pages === 0) await this.#endPage()
    while (this.#carried.length > 0) {
      await this.#beginPage()
      await this.#endPage()
    }
    return this.#typesetter.finish()
  }

  async #setBlock(block: Block): Promise<void> {
    if (block.kind === 'page-break') {
      if (!this.#isEmpty) await this.#endPage().then(() => this.#beginPage())
    } else if (block.kind === 'column-break') await this.#nextColumn()
    else if (block.kind === 'drawing' && block.place) await this.#placed(block)
    else if (block.kind === 'paragraph') {
      const around = !this.#zones.isEmpty ? { edges: this.#edges } : {}
      await this.#putAll(paragraphStrips(block, this.#width, this.#press, around), true)
    } else if (block.kind === 'table' && this.#wideTables === 'landscape') await this.#wideTable(block)
    else await this.#putAll(await this.#press.strips([block], this.#width))
  }

  get #textWidth(): number {
    return this.#page.width - this.#page.left - this.#page.right
  }

  get #width(): number {
    const { count, gap } = this.#section.columns ?? { count: 1, gap: 0 }
    return Math.max(36, (this.#textWidth - gap * (count - 1)) / count)
  }

  get #spot(): Spot {
    const x = this.#page.left + this.#column * (this.#width + (this.#section.columns?.gap ?? 0))
    const { numbers } = this.#owner
    return {
      x,
      top: this.#top,
      page: this.#page,
      number: this.#number,
      pages: this.#total,
      ...(numbers ? { numbers } : {}),
    }
  }

  /** Ends what has no room left, and says what the page offers. */
  get #floor(): number {
    const notes = this.#notes.length > 0 ? heightOf(this.#notes) + noteRule.height : 0
    return Math.max(this.#columnBottom, this.#bottom + notes)
  }

  async #put(strip: Strip, isLine = false): Promise<void> {
    if (strip.isSpace) {
      if (this.#top < this.#columnTop || !this.#isEmpty) this.#top = Math.max(this.#floor, this.#top - strip.height)
      return
    }
    const { x, top } = this.#spot
    this.#top = Math.max(this.#floor, this.#zones.below({ x, width: this.#width, top, height: strip.height }, isLine))
    const notes = await this.#notesOf(strip)
    const foot = notes.length > 0 ? notes[0]!.height + noteRule.height : 0
    const needed = Math.max(strip.reserve ?? 0, strip.split ? 0 : strip.height) + foot
    const room = this.#top - this.#floor
    if (needed > room + 0.01 && this.#top < this.#columnTop) return this.#putOnNext(strip, isLine)
    if (strip.height > room + 0.01 && strip.split) {
      const parts = strip.split(room)
      if (parts) {
        this.#draw(parts[0])
        return this.#putOnNext(parts[1], isLine)
      }
      if (this.#top < this.#columnTop) return this.#putOnNext(strip, isLine)
    }
    this.#addNotes(notes, strip.height)
    this.#draw(strip)
  }

  async #putOnNext(strip: Strip, isLine: boolean): Promise<void> {
    await this.#nextColumn()
    for (const head of strip.heads ?? []) this.#draw(head)
    await this.#put({ ...strip, heads: [], reserve: 0 }, isLine)
  }

  #draw(strip: Strip): void {
    if (this.#isEmpty)
      drawStrips(this.#head, { ...this.#spot, x: this.#page.left, top: this.#page.height - this.#page.header })
    strip.draw(this.#spot)
    this.#top -= strip.height
    this.#lowest = Math.min(this.#lowest, this.#top)
    this.#isEmpty = false
  }

  async #notesOf({ notes = [] }: Strip): Promise<Strip[]> {
    const strips: Strip[] = []
    for (const note of notes) strips.push(...(await this.#press.strips(note, this.#textWidth)))
    return strips.filter(({ isSpace }) => !isSpace)
  }

  /** As much of footnotes as there is room for below a strip; the rest stands at the foot of the next page. */
  #addNotes(notes: readonly Strip[], height: number): void {
    for (const note of notes) {
      const isFull =
        this.#carried.length > 0 ||
        (this.#notes.length > 0 && this.#top - height - this.#floor < note.height + noteRule.height)
      if (isFull) this.#carried.push(note)
      else this.#notes.push(note)
    }
  }

  async #nextColumn(): Promise<void> {
    if (this.#column + 1 >= (this.#section.columns?.count ?? 1)) return this.#endPage().then(() => this.#beginPage())
    this.#column += 1
    this.#top = this.#columnTop
  }

  /** The header or the footer of this page. */
  async #band(band: Bands | undefined): Promise<Strip[]> {
    const own =
      this.#isFirst && band?.first ? band.first : this.#number % 2 === 0 && band?.even ? band.even : band?.usual
    return this.#press.strips(own ?? [], this.#textWidth)
  }

  async #beginPage(): Promise<void> {
    const { width, height, top, bottom, header, footer } = this.#page
    this.#owner = this.#section
    this.#press.room = height - top - bottom
    this.#head = await this.#band(this.#section.header)
    const [above, below] = [heightOf(this.#head), heightOf(await this.#band(this.#section.footer))]
    const [head, foot] = [
      Math.max(top, above > 0 ? header + above : 0),
      Math.max(bottom, below > 0 ? footer + below : 0),
    ]
    const isRoom = height - head - foot > Math.min(minRoom, width)
    this.#columnTop = height - (isRoom ? head : Math.min(top, height / 4))
    this.#bottom = isRoom ? foot : Math.min(bottom, height / 4)
    this.#columnBottom = 0
    this.#top = this.#columnTop
    this.#lowest = this.#top
    this.#column = 0
    this.#isEmpty = true
    this.#zones = new Zones()
    this.#addNotes(this.#carried.splice(0), 60)
  }

  async #endPage(): Promise<void> {
    const { width, height, left, header, footer } = this.#page
    const edge = { ...this.#spot, x: left }
    const notes = this.#notes.splice(0)
    if (notes.length > 0) {
      const top = this.#bottom + heightOf(notes)
      this.#typesetter.bar(left, top + noteRule.height / 2, noteRule.width, 0.5)
      drawStrips(notes, { ...edge, top })
    }
    if (this.#isEmpty) drawStrips(this.#head, { ...edge, top: height - header })
    const foot = await this.#band(this.#owner.footer)
    drawStrips(foot, { ...edge, top: footer + heightOf(foot) })
    this.#typesetter.endPage(width, height)
    this.pages += 1
    this.#number += 1
    this.#isFirst = false
    checkPages(this.pages, this.#press.limits)
  }

  async #beginSection(section: Section, blocks: readonly Block[], index: number): Promise<void> {
    const page = section.page ?? this.#usual
    const isSame = page.width === this.#page.width && page.height === this.#page.height
    const goesOn = section.isContinuous === true && isSame && !this.#isEmpty
    if (!goesOn && !this.#isEmpty) await this.#endPage()
    this.#section = section
    this.#page = goesOn ? { ...this.#page, left: page.left, right: page.right } : page
    if (section.firstNumber !== undefined && !goesOn) this.#number = section.firstNumber
    if (goesOn) {
      this.#column = 0
      this.#columnBottom = 0
      this.#top = this.#lowest
      this.#columnTop = this.#top
    } else {
      this.#isFirst = true
      await this.#beginPage()
    }
    await this.#balance(blocks.slice(index + 1))
  }

  /** Columns that text goes on below are of one length. */
  async #balance(following: readonly Block[]): Promise<void> {
    const { count } = this.#section.columns ?? { count: 1 }
    const end = following.findIndex(({ kind }) => kind === 'section')
    const next = following[end]
    if (count < 2 || next?.kind !== 'section' || !next.isContinuous) return
    const strips = await this.#press.strips(following.slice(0, end), this.#width)
    const height = heightOf(strips) / count + 16
    if (this.#top - height > this.#floor) this.#columnBottom = this.#top - height
  }

  /** The room that lines have beside what stands on the page. */
  readonly #edges = (below: number, height: number) => {
    const { x, top } = this.#spot
    return this.#zones.free({ x, width: this.#width, top: top - below, height })
  }

  /** What has a place of its own stands on the page of the paragraph behind it. */
  async #placed(drawing: Drawing): Promise<void> {
    if (this.#top - this.#floor < 28 && this.#top < this.#columnTop) await this.#nextColumn()
    const [strip] = await this.#press.strips([drawing], this.#width)
    if (strip) this.#draw(strip)
    if (!drawing.wraps) return
    this.#zones.add(boxOf(drawing, this.#spot, this.#width))
  }

  /** Pages from here on lie on their side, or stand again. */
  async #turn(isLandscape: boolean): Promise<void> {
    const { width, height } = this.#page
    if (width > height === isLandscape) return
    if (!this.#isEmpty) await this.#endPage()
    this.#page = { ...this.#page, width: height, height: width }
    await this.#beginPage()
  }

  async #wideTable(table: Table): Promise<void> {
    const set = setTable(table, this.#width)
    if (set) return this.#putAll([...(await tableStrips(set, this.#press)), space(7)])
    for (const { set: part, caption } of placeWide(table, this.#page.height - 2 * margin)) {
      await this.#turn(true)
      if (caption !== undefined) await this.#setBlock(paragraph([{ text: caption, bold: true }]))
      await this.#putAll([...(await tableStrips(part, this.#press)), space(7)])
    }
    await this.#turn(false)
  }

  async #putAll(strips: readonly Strip[], areLines = false): Promise<void> {
    for (const strip of strips) await this.#put(strip, areLines)
  }
}
