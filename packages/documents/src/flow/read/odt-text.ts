import { type Block, type Piece, type Section, textOf } from '../flow.ts'
import type { RunLook } from './docx-styles.ts'
import { type HtmlElement, isElement, isText } from './html-nodes.ts'
import { isDrawing, type OdtDrawingContext, readOdtDrawing } from './odt-drawings.ts'
import type { OdtList, OdtListStyles } from './odt-lists.ts'
import type { OdtStyle } from './odt-styles.ts'
import { readOdtTable } from './odt-tables.ts'
import { withMark } from './numbering.ts'
import { commonSize, formatOf } from './run-text.ts'
import { childOf, elementsIn, numberOf } from './xml.ts'

/** What the parts of an OpenDocument text share. */
export interface OdtDocument extends Omit<OdtDrawingContext, 'read'> {
  lists: OdtListStyles
  /** The numbers of headings. */
  outline: OdtList
  /** Lists by their names, for those that go on. */
  named: Map<string, OdtList>
  section: (master: string | undefined) => Section
  /** The mark of the next note. */
  mark: (note: HtmlElement) => string
  endnotes: Block[]
}

/** What is not seen, or says how the rest was made. */
const skipped =
  /^(text:(tracked-changes|sequence-decls|user-field-decls|variable-decls|dde-connection-decls|alphabetical-index-auto-mark-file|[\w-]+-source|note-citation|hidden-text|soft-page-break|ruby-text|meta-field-decls|script)|office:(annotation|annotation-end|forms|event-listeners)|svg:(title|desc)|table:shapes)$/

interface ListPlace {
  list: OdtList
  level: number
  /** The label of the item's first paragraph, until it is met. */
  take: () => string | undefined
}

/** Reads the blocks of an OpenDocument text in the order in which they are seen (ISO/IEC 26300-1, 5 and 6). */
export class OdtReader {
  readonly blocks: Block[] = []
  readonly #document: OdtDocument
  /** The text itself, whose paragraphs begin pages of other kinds. */
  readonly #isText: boolean
  #pieces: Piece[] = []
  #sizes: { size: number | undefined; length: number }[] = []
  #place: ListPlace | undefined
  #last: OdtList | undefined
  #end: (() => void) | undefined
  #section: Section | undefined
  #lastTight: string | undefined
  #breaksNext = false

  constructor(document: OdtDocument, isText = false) {
    this.#document = document
    this.#isText = isText
  }

  readAll(parent: HtmlElement): void {
    for (const element of elementsIn(parent)) this.#block(element)
  }

  #inside(content: HtmlElement): Block[] {
    const reader = new OdtReader(this.#document)
    reader.readAll(content)
    return reader.blocks
  }

  #block(element: HtmlElement): void {
    const { name, attribs } = element
    if (skipped.test(name)) return
    if (name === 'text:p' || name === 'text:h') this.#paragraph(element)
    else if (name === 'text:list') this.#list(element)
    else if (name === 'table:table') this.#table(element)
    else if (name === 'text:section') this.#columns(element)
    else if (isDrawing(element)) this.#drawing(element)
    else if (attribs['text:display'] !== 'none') this.readAll(element)
  }

  #table(element: HtmlElement): void {
    const { styles } = this.#document
    this.#begin(styles.get('table', element.attribs['table:style-name']).paragraph)
    this.blocks.push(...readOdtTable(element, (cell) => this.#inside(cell), styles))
  }

  #columns(element: HtmlElement): void {
    const { attribs } = element
    if (attribs['text:display'] === 'none') return
    const { columns } = this.#document.styles.get('section', attribs['text:style-name'])
    const around = this.#section
    if (!columns || !this.#isText) {
      this.readAll(element)
      return
    }
    this.#begin({})
    this.blocks.push({ ...(this.#section ?? { kind: 'section' }), columns, isContinuous: true })
    this.readAll(element)
    const { columns: _, ...rest } = this.#section ?? around ?? { kind: 'section' as const }
    this.blocks.push({ ...rest, isContinuous: true })
  }

  #list(element: HtmlElement): void {
    const { attribs } = element
    const outer = this.#place
    const style = attribs['text:style-name'] ?? outer?.list.style ?? this.#last?.style ?? ' '
    const goesOn =
      this.#document.named.get(attribs['text:continue-list'] ?? '') ??
      (attribs['text:continue-numbering'] === 'true' && this.#last?.style === style ? this.#last : undefined)
    const list =
      outer && (attribs['text:style-name'] === undefined || outer.list.style === style)
        ? outer.list
        : (goesOn ?? { style, counts: outer ? [...outer.list.counts] : [] })
    const level = (outer?.level ?? -1) + 1
    if (!outer) this.#last = list
    const name = attribs['xml:id'] ?? attribs['text:id']
    if (name !== undefined) this.#document.named.set(name, list)
    for (const item of elementsIn(element)) {
      if (item.name !== 'text:list-item' && item.name !== 'text:list-header') continue
      let isTaken = item.name === 'text:list-header'
      const take = () => {
        if (isTaken) return undefined
        isTaken = true
        return this.#document.lists.next(list, level, numberOf(item.attribs['text:start-value']))
      }
      this.#place = { list, level, take }
      this.readAll(item)
    }
    this.#place = outer
  }

  /** Begins the page or the column that a paragraph or a table wants. */
  #begin({ master, breaksBefore, breaksColumn, pageNumber }: OdtStyle['paragraph']): void {
    if (!this.#isText) return
    if (!this.#section || (master !== undefined && master !== '')) {
      const section = this.#document.section(master)
      this.#section = section
      this.blocks.push(pageNumber !== undefined && pageNumber > 0 ? { ...section, firstNumber: pageNumber } : section)
    } else if (breaksBefore || this.#breaksNext) this.blocks.push({ kind: 'page-break' })
    else if (breaksColumn) this.blocks.push({ kind: 'column-break' })
    this.#breaksNext = false
  }

  #paragraph(element: HtmlElement): void {
    const { attribs } = element
    const { styles } = this.#document
    const name = attribs['text:style-name']
    const { paragraph: style, run } = styles.get('paragraph', name)
    this.#begin(style)
    let [marker, ofList] = this.#labelOf(element, style)
    const look = this.#place ? { ...style, ...ofList, ...this.#direct(name) } : { ...ofList, ...style }
    const isFresh = this.blocks.length
    this.#end = () => {
      const format = formatOf(look, commonSize(this.#sizes) ?? run.size)
      if (look.isTight && this.#lastTight === name) format.above = 0
      this.#lastTight = look.isTight ? name : undefined
      this.blocks.push({
        kind: 'paragraph',
        pieces: trimmed(this.#pieces),
        style: 'body',
        indent: 0,
        format,
        ...(marker === undefined ? {} : { marker }),
      })
      marker = undefined
      ofList = {}
      this.#pieces = []
      this.#sizes = []
    }
    this.#inline(element, run)
    const isBare =
      textOf(this.#pieces).trim() === '' && marker === undefined && !this.#pieces.some(({ text }) => text === '\n')
    if (
      !isBare ||
      !this.blocks
        .slice(isFresh)
        .some(({ kind, ...rest }) => kind === 'picture' || (kind === 'drawing' && !('place' in rest)))
    )
      this.#end()
    this.#breaksNext = style.breaksAfter === true
  }

  /** The indents that a paragraph in a list has for itself: those of its list are weaker. */
  #direct(name: string | undefined): Partial<OdtStyle['paragraph']> {
    const { left, first } = this.#document.styles.own(name)
    return { ...(left === undefined ? {} : { left }), ...(first === undefined ? {} : { first }) }
  }

  #labelOf(
    { name, attribs }: HtmlElement,
    style: OdtStyle['paragraph'],
  ): [string | undefined, ReturnType<OdtListStyles['lookOf']>] {
    const { lists, outline } = this.#document
    if (this.#place) {
      const { list, level, take } = this.#place
      return [take(), lists.lookOf(list.style, level)]
    }
    if (name !== 'text:h' || attribs['text:is-list-header'] === 'true' || style.list === '') return [undefined, {}]
    const level = Math.min(10, Math.max(1, numberOf(attribs['text:outline-level']) ?? 1)) - 1
    const start =
      attribs['text:restart-numbering'] === 'true' ? (numberOf(attribs['text:start-value']) ?? 1) : undefined
    return lists.has(outline.style)
      ? [lists.next(outline, level, start), lists.lookOf(outline.style, level)]
      : [undefined, {}]
  }

  #inline(parent: HtmlElement, look: RunLook): void {
    for (const node of parent.children) {
      if (isText(node)) this.#text(node.data.replace(/[ \t\r\n]+/g, ' '), look, true)
      else if (isElement(node) && !skipped.test(node.name)) this.#element(node, look)
    }
  }

  #element(element: HtmlElement, look: RunLook): void {
    const { name, attribs } = element
    const space = () => '\u00a0'.repeat(Math.min(200, numberOf(attribs['text:c']) ?? 1))
    if (name === 'text:s') this.#text(space(), look)
    else if (name === 'text:tab') this.#text('\t', look)
    else if (name === 'text:line-break') this.#text('\n', look)
    else if (name === 'text:page-number') this.#pieces.push({ text: '1', field: 'page' })
    else if (name === 'text:page-count') this.#pieces.push({ text: '1', field: 'pages' })
    else if (name === 'text:note') this.#note(element)
    else if (isDrawing(element) && name !== 'draw:a') this.#drawing(element)
    else if (name === 'text:p' || name === 'text:list' || name === 'table:table') this.#block(element)
    else {
      const own =
        name === 'text:span' || name === 'text:a'
          ? this.#document.styles.get('text', attribs['text:style-name']).run
          : {}
      this.#inline(element, { ...look, ...own })
    }
  }

  #text(text: string, { bold, underlined, struck, script, capitals, hidden, size }: RunLook, collapses = false): void {
    const isOpen = this.#pieces.length === 0 || /[ \n]$/.test(this.#pieces.at(-1)!.text)
    const shown = (collapses && isOpen ? text.replace(/^ /, '') : text).replaceAll('\u00ad', '')
    if (hidden || shown === '') return
    const looks = {
      ...(bold ? { bold } : {}),
      ...(underlined ? { underlined } : {}),
      ...(struck ? { struck } : {}),
      ...(script ? { script } : {}),
    }
    this.#pieces.push({ text: capitals ? shown.toUpperCase() : shown, ...looks })
    this.#sizes.push({ size, length: shown.length })
  }

  #note(note: HtmlElement): void {
    const body = childOf(note, 'text:note-body')
    const mark = this.#document.mark(note)
    const blocks = body ? this.#inside(body) : []
    const marked = withMark(
      blocks.filter((each) => each.kind === 'paragraph'),
      mark,
    )
    if (note.attribs['text:note-class'] === 'endnote') {
      this.#document.endnotes.push(...marked)
      this.#pieces.push({ text: mark, script: 'super' })
    } else this.#pieces.push({ text: mark, script: 'super', note: marked })
  }

  #drawing(element: HtmlElement): void {
    const found = readOdtDrawing(element, { ...this.#document, read: (content) => this.#inside(content) })
    if (!found) return
    if (found.kind === 'picture' || !found.place) {
      if (textOf(this.#pieces).trim() !== '') this.#end?.()
      else this.#pieces = []
    }
    this.blocks.push(found)
  }
}

/** Without blanks at the end. */
function trimmed(pieces: readonly Piece[]): Piece[] {
  const last = pieces.at(-1)
  return last?.text.endsWith(' ') ? [...pieces.slice(0, -1), { ...last, text: last.text.trimEnd() }] : [...pieces]
}
