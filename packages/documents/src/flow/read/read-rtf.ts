import { type Block, type Flow, textIn, type Undrawn } from '../flow.ts'
import { RtfFonts, signOf } from './rtf-fonts.ts'
import { type Group, passOver, RtfGroups, skip, skipped } from './rtf-groups.ts'
import { rtfNumbers } from './rtf-lists.ts'
import { lookAfter, standing, standingAfter } from './rtf-looks.ts'
import { RtfNotes } from './rtf-notes.ts'
import { RtfPages } from './rtf-pages.ts'
import { describePicture, newPicture, pictureOf } from './rtf-pictures.ts'
import { RtfShape } from './rtf-shapes.ts'
import { newRow, type RowShape, RtfStory } from './rtf-story.ts'

const signs: Readonly<Record<string, string>> = {
  ...{ tab: '\t', emdash: '—', endash: '–', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', bullet: '•' },
  ...{ emspace: ' ', enspace: ' ', qmspace: ' ', line: '\n', softline: '\n', lbr: '\n' },
  ...{ '~': '\u00a0', _: '-', '-': '' },
}
const fields: Readonly<Record<string, 'page' | 'pages'>> = { PAGE: 'page', NUMPAGES: 'pages', SECTIONPAGES: 'pages' }
/** An instruction for a sign of a font of signs, its backslashes read. */
const symbol = /^\s*SYMBOL\s+(\d+)\s+\\?f\s+"([^"]+)"/i
/** Texts in texts, such as boxes in notes; those deeper run on in the one that they are in. */
const maxStories = 12

class RtfReader extends RtfGroups {
  readonly undrawn: Undrawn[] = []
  readonly #lists: ReturnType<typeof rtfNumbers>
  readonly #pages = new RtfPages()
  readonly #stories = [new RtfStory()]
  readonly #shapes: RtfShape[] = []
  readonly #blocks: Block[] = []
  readonly #notes = new RtfNotes()
  readonly #rows: RowShape[] = []
  /** Counts what was written. */
  #shown = 0
  #isStarred = false
  #isMerged = false
  /** Whether the box that a field shows is ticked. */
  #isTicked = false
  /** The paragraph began before a picture or break. */
  #isContinued = false
  /** What a field shows was written, and its result is not needed. */
  #hasShown = false

  constructor(rtf: string) {
    super(new RtfFonts(rtf))
    this.#lists = rtfNumbers(rtf, this.fonts)
  }

  read(rtf: string): Block[] {
    this.readTokens(rtf)
    this.#endSection(true)
    const { endnotes } = this.#notes
    return endnotes.length > 0 ? [...this.#blocks, { kind: 'rule' }, ...endnotes] : this.#blocks
  }

  get #story(): RtfStory {
    return this.#stories.at(-1)!
  }

  protected word(word: string, number: number | undefined): void {
    const group = this.group
    if (this.#isStarred) passOver(group, word)
    this.#isStarred = false
    if (word === 'uc') group.stand = number ?? 1
    else if (word === 'f') group.font = number ?? this.fonts.usual
    else if (word === 'fs') group.size = (number ?? 24) / 2
    else if (word === 'ffres' || word === 'ffdefres') this.#isTicked = number === 25 ? this.#isTicked : number === 1
    else if (group.picture) describePicture(group.picture, word, number)
    else if (this.#destination(word, group)) return
    else if (!group.gather && !group.isSkipped) this.#textWord(word, number, group)
  }

  #textWord(word: string, number: number | undefined, group: Group): void {
    if (Object.hasOwn(signs, word)) this.append(signs[word]!)
    else if (this.#shapes.at(-1)?.set(word, number)) return
    else if (this.#paragraphWord(word) || this.#rowWord(word, number, group)) return
    else if (this.#notes.set(word, number) || this.#pages.set(word, number)) return
    else {
      const next = standingAfter(group.paragraph, word, number)
      if (next) group.paragraph = next
      if (word === 'plain') Object.assign(group, { font: this.fonts.usual, size: 12 })
      group.look = lookAfter(group.look, word, number)
    }
  }

  /** Words that end a paragraph or a page, or stand for a number. */
  #paragraphWord(word: string): boolean {
    const { paragraph } = this.group
    if (word === 'par') this.#endParagraph()
    else if (word === 'sect') this.#endSection(false)
    else if (word === 'chpgn') this.append('1', 'page')
    else if (word === 'chftn') this.#story.appendMark()
    else if (word === 'page' || word === 'column') {
      if (this.#story.depthOf(paragraph) > 0) return true
      this.#interrupt({ kind: word === 'page' ? 'page-break' : 'column-break' })
    } else return false
    return true
  }

  #endParagraph(): void {
    const [story, { paragraph }] = [this.#story, this.group]
    this.#label()
    // What ends right behind a picture is no empty line.
    if (!this.#isContinued || story.pieces.length > 0)
      story.endParagraph({ ...paragraph, depth: story.depthOf(paragraph) })
    this.#isContinued = false
  }

  /** What stands in the middle of a paragraph: it goes on behind. */
  #interrupt(block: Block): void {
    if (this.#story.pieces.length > 0) this.#endParagraph()
    this.#story.place(block, this.#story.depthOf(this.group.paragraph))
    this.#isContinued = true
  }

  #endSection(isLast: boolean): void {
    if (this.#stories.length > 1) return
    const isOnly = isLast && this.#blocks.length === 0
    // The end of a section is that of a paragraph.
    if (!isLast && this.#story.isBlank()) this.#endParagraph()
    const blocks = this.#story.finish(this.group.paragraph, isLast)
    const section = this.#pages.endSection(isOnly)
    this.#blocks.push(...(section ? [section] : []), ...blocks)
    this.#stories[0] = new RtfStory()
  }

  /** The number of a paragraph of a list, where it was not written before it. */
  #label(): void {
    const { list, level } = this.group.paragraph
    if (list === 0 || this.#isContinued) return
    const label = this.#lists.next(list, level)
    this.#story.marker ??= label
  }

  #rowWord(word: string, number = 0, group: Group): boolean {
    const depth = group.inNest || word.startsWith('nest') ? Math.max(2, group.paragraph.depth) : 1
    const row = (this.#rows[depth] ??= newRow())
    if (word === 'trowd') this.#rows[depth] = newRow()
    else if (word === 'trleft') row.left = number / 20
    else if (word === 'trhdr') row.isHeading = true
    else if (word === 'clmrg') this.#isMerged = true
    else if (word === 'brdrs' || word === 'brdrth' || word === 'brdrdb') row.hasLines = true
    else if (word === 'cellx') {
      if (row.cells.length < 1000) row.cells.push({ right: number / 20, isMerged: this.#isMerged })
      this.#isMerged = false
    } else if (word === 'cell' || word === 'nestcell') {
      if (this.#story.pieces.length > 0) this.#label()
      this.#story.endCell(group.paragraph, depth)
    } else if (word === 'row' || word === 'nestrow') this.#story.endRow(depth, row)
    else return false
    return true
  }

  /** Whether a word begins a part of the document that is not its running text. */
  #destination(word: string, group: Group): boolean {
    if (word === 'shprslt') group.inShape = false
    if (word === 'mmath' && !group.isSkipped) this.undrawn.push('equation')
    if (skipped.has(word)) skip(group)
    else if (word === 'upr') Object.assign(group, { wasSkipped: group.isSkipped, isSkipped: true })
    else if (word === 'ud') group.isSkipped = group.wasSkipped ?? group.isSkipped
    else if (word === 'nesttableprops') group.inNest = true
    else if (word === 'field') this.#hasShown = false
    else if (word === 'fldrslt') group.isSkipped ||= this.#hasShown
    else if (word === 'fldinst') this.#gather(group, (text) => this.#endInstruction(text))
    else if (word === 'pict') this.#picture(group)
    else if (word === 'sn' || word === 'sv') this.#property(word, group)
    else return !group.isSkipped && !group.gather && this.#textDestination(word, group)
    return true
  }

  /** The same of what has text of its own. */
  #textDestination(word: string, group: Group): boolean {
    if (word === 'shp' || word === 'shpgrp' || word === 'do') this.#shape(group)
    else if (word === 'object') this.#object(group)
    else if (word === 'footnote') {
      const text = this.#story
      this.#readAside(group, (blocks, { marks }) => this.#notes.end(blocks, marks, text))
    } else if (word === 'shptxt' || word === 'dptxbxtext') {
      const shape = this.#shapes.at(-1)
      this.#readAside(group, (blocks) => {
        if (shape) shape.blocks = blocks
        else for (const block of blocks) this.#interrupt(block)
      })
    } else if (word === 'listtext' || word === 'pntext') {
      this.#readAside(group, (blocks) => (this.#story.marker = blocks.map(textIn).join(' ').trim()))
    } else if (RtfPages.isBand(word)) this.#readAside(group, (blocks) => this.#pages.setBand(word, blocks))
    else return false
    return true
  }

  /** Has what follows in the group read as a text by itself. */
  #readAside(group: Group, end: (blocks: Block[], story: RtfStory) => void): void {
    if (this.#stories.length >= maxStories) return
    const story = new RtfStory()
    this.#stories.push(story)
    Object.assign(group, { paragraph: standing, look: {}, inShape: false })
    group.end = ({ paragraph }) => {
      this.#stories.pop()
      end(story.finish(paragraph), story)
    }
  }

  #gather(group: Group, end: (text: string) => void): void {
    const gather = { text: '' }
    Object.assign(group, { gather, end: () => end(gather.text) })
  }

  #shape(group: Group): void {
    if (this.#shapes.length >= maxStories) return
    const shape = new RtfShape(this.#stories.length)
    this.#shapes.push(shape)
    group.inShape = true
    group.end = () => {
      this.#shapes.pop()
      const parent = this.#shapes.at(-1)
      if (parent?.depth === shape.depth) parent.add(shape)
      else {
        const drawing = shape.draw()
        if (drawing) this.#story.place(drawing, this.#story.depthOf(this.group.paragraph))
        if (shape.isLost) this.undrawn.push('drawing')
      }
    }
  }

  /** `{\sn name}{\sv value}` of a shape. */
  #property(word: 'sn' | 'sv', { inShape }: Group): void {
    const shape = this.#shapes.at(-1)
    if (!inShape || !shape) return
    this.#gather(this.group, (text) => {
      if (word === 'sn') shape.name = text.trim()
      else shape.properties.set(shape.name, text.trim())
    })
  }

  /** An embedded object is shown by what its program left of it. */
  #object(group: Group): void {
    const before = this.#shown
    group.inObject = true
    group.end = () => {
      if (this.#shown === before) this.undrawn.push('embedded object')
    }
  }

  #picture(group: Group): void {
    const picture = (group.picture = newPicture())
    group.end = ({ isSkipped, inShape, inObject }) => {
      if (isSkipped && !inShape) return
      const block = pictureOf(picture)
      const shape = inShape ? this.#shapes.at(-1) : undefined
      if (picture.unread) {
        if (!inObject) this.undrawn.push(picture.unread)
      } else if (block && shape) shape.picture = block.bytes
      else if (block) {
        this.#shown += 1
        const { align } = this.group.paragraph
        this.#interrupt({ ...block, ...(align ? { align } : {}) })
      }
    }
  }

  #endInstruction(text: string): void {
    const name = text.trim().split(/\s/, 1)[0]!.toUpperCase()
    const [, code, font = ''] = symbol.exec(text) ?? []
    const sign = code === undefined ? undefined : signOf(font, Number(code))
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const shown = field ? '1' : name === 'FORMCHECKBOX' ? (this.#isTicked ? '☒' : '☐') : sign
    if (shown === undefined) return
    this.append(shown, field)
    this.#hasShown = true
  }

  protected sign(sign: string): void {
    if (sign === '*') this.#isStarred = true
    else if (sign !== '\n' && sign !== '\r') this.append(signs[sign] ?? sign)
    else if (!this.group.isSkipped && !this.group.gather) this.#endParagraph()
  }

  protected append(text: string, field?: 'page' | 'pages'): void {
    const { isSkipped, picture, look, gather, size } = this.group
    const { isHidden, isCapital, ...shown } = look
    if (gather) gather.text += text
    else if (!isSkipped && !picture && !isHidden && text !== '') {
      this.#shown += 1
      this.#story.append(
        { ...shown, text: isCapital ? text.toUpperCase() : text, ...(field ? { field } : {}) },
        look,
        size,
      )
    }
  }
}

/** A rich text document (RTF 1.9.1). Embedded objects are shown by their picture. @throws {DocumentProblem} `broken` when it is nested too deeply */
export function readRtf(bytes: Uint8Array): Flow {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const reader = new RtfReader(rtf)
  return { blocks: reader.read(rtf), notes: [], undrawn: reader.undrawn }
}
