import { type Block, type Piece, textOf, type Undrawn } from '../flow.ts'
import { readDrawing } from './docx-drawings.ts'
import { bulletOf, type DocxNumbers } from './docx-numbers.ts'
import type { Part } from './docx-package.ts'
import { type DocxStyles, type ParagraphLook, readParagraph, readRun, type RunLook, valueOf } from './docx-styles.ts'
import { readWordTable } from './docx-tables.ts'
import type { HtmlElement } from './html-nodes.ts'
import { commonSize, FieldStack, formatOf } from './run-text.ts'
import { readPict } from './vml.ts'
import { childOf, elementsIn, findAll, textWithin } from './xml.ts'

/** What the parts of a Word document share. */
export interface WordDocument {
  styles: DocxStyles
  numbers: DocxNumbers
  undrawn: Undrawn[]
  /** The grid on which the lines of the text stand, in points. */
  pitch: number
  note: (kind: 'footnote' | 'endnote', reference: HtmlElement) => Piece
}

/** Elements that only hold others. */
const holders = new Set(
  'w:sdt w:sdtContent w:customXml w:smartTag w:ins w:moveTo w:hyperlink w:dir w:bdo w:ruby w:rt w:rubyBase mc:Choice mc:Fallback w:txbxContent w:subDoc'.split(
    ' ',
  ),
)
/** Extensions whose content is understood; for others files bring what older programs show. */
const understood = /^(wps|wpg|wpc|wp14|w14|w15|w16\w*|a14|v|wp15)$/
const signs: Readonly<Record<string, string>> = {
  ...{ 'w:tab': '\t', 'w:ptab': '\t', 'w:cr': '\n', 'w:noBreakHyphen': '‑' },
}

/** Reads blocks of WordprocessingML in the order in which they are seen (ECMA-376-1, 17). */
export class WordReader {
  readonly blocks: Block[] = []
  /** Where sections begin among the blocks, with what is said of them. */
  readonly sections: { at: number; sectPr: HtmlElement }[] = []
  readonly #document: WordDocument
  readonly #part: Part
  /** Of the note that is read. */
  readonly #mark: string
  readonly #pitch: number
  readonly #fields = new FieldStack()
  #pieces: Piece[] = []
  #sizes: { size: number | undefined; length: number }[] = []
  #sectionStart = 0
  #lastTight: string | undefined
  #end: (() => void) | undefined

  /** @param isText not a header, a note or the text of a shape */
  constructor(document: WordDocument, part: Part, { mark = '', isText = false } = {}) {
    this.#pitch = isText ? document.pitch : 0
    this.#document = document
    this.#part = part
    this.#mark = mark
  }

  readAll(parent: HtmlElement): void {
    for (const element of elementsIn(parent)) this.#block(element)
  }

  #block(element: HtmlElement): void {
    const { name } = element
    if (name === 'w:p') this.#paragraph(element)
    else if (name === 'w:tbl')
      this.blocks.push(...readWordTable(element, (cell) => this.#inside(cell), this.#document.styles))
    else if (name === 'w:sectPr') this.#endSection(element)
    else if (name === 'w:altChunk') this.#leaveOut('embedded object')
    else if (name === 'mc:AlternateContent') this.#alternate(element, (each) => this.readAll(each))
    else if (/^m:oMath(Para)?$/.test(name)) this.#leaveOut('equation')
    else if (holders.has(name)) this.readAll(element)
  }

  readonly #leaveOut = (what: Undrawn): void => void this.#document.undrawn.push(what)

  /** The blocks in a cell or a shape. */
  #inside(content: HtmlElement): Block[] {
    const reader = new WordReader(this.#document, this.#part, { mark: this.#mark })
    reader.readAll(content)
    return reader.blocks
  }

  #endSection(sectPr: HtmlElement): void {
    this.sections.push({ at: this.#sectionStart, sectPr })
    this.#sectionStart = this.blocks.length
  }

  #alternate(element: HtmlElement, read: (chosen: HtmlElement) => void): void {
    const choice = elementsIn(element).find(
      ({ name, attribs }) =>
        name === 'mc:Choice' && (attribs.Requires ?? '').split(/\s+/).every((each) => understood.test(each)),
    )
    const chosen = choice ?? childOf(element, 'mc:Fallback')
    // What older programs show for a new kind of chart says that there is one.
    if (!choice && findAll([element], 'cx:chart').length > 0) this.#leaveOut('chart')
    else if (chosen) read(chosen)
  }

  #paragraph(p: HtmlElement): void {
    const { styles, numbers } = this.#document
    const pPr = childOf(p, 'w:pPr')
    const id = valueOf(pPr, 'w:pStyle')
    const style = styles.paragraph(id)
    const direct = readParagraph(pPr)
    const list = direct.list ?? style.paragraph.list
    const level = direct.level ?? style.paragraph.level ?? numbers.levelOf(list, id)
    const ofList = list === undefined ? {} : numbers.levelsOf(list).get(level)?.look
    const look: ParagraphLook =
      direct.list === undefined
        ? { ...ofList, ...style.paragraph, ...direct }
        : { ...style.paragraph, ...ofList, ...direct }
    if (look.breaksBefore && this.blocks.length > this.#sectionStart) this.blocks.push({ kind: 'page-break' })
    const isMarkRemoved = childOf(childOf(pPr, 'w:rPr'), 'w:del') !== undefined
    let marker = list === undefined || isMarkRemoved ? undefined : numbers.next(list, level)
    const usual = { ...style.run, ...readRun(childOf(pPr, 'w:rPr')) }
    const isFresh = this.blocks.length
    this.#end = () => {
      const size = commonSize(this.#sizes) ?? usual.size
      const format = { ...formatOf(look, size), ...(this.#pitch > 0 ? { leading: this.#pitch } : {}) }
      if (look.isTight && this.#lastTight === (id ?? '')) this.#tighten(format)
      this.#lastTight = look.isTight ? (id ?? '') : undefined
      this.blocks.push({
        kind: 'paragraph',
        pieces: this.#pieces,
        style: 'body',
        indent: 0,
        format,
        ...(marker === undefined ? {} : { marker }),
      })
      marker = undefined
      this.#pieces = []
      this.#sizes = []
    }
    this.#inline(p, style.run)
    const sectPr = childOf(pPr, 'w:sectPr')
    const isBare = this.#pieces.length === 0 && marker === undefined
    // A paragraph that only ends a section, or holds nothing but a page break, takes no line.
    if (!isBare || (!sectPr && !this.blocks.slice(isFresh).some(({ kind }) => kind !== 'drawing') && !isMarkRemoved))
      this.#end()
    if (sectPr) this.#endSection(sectPr)
  }

  #tighten(format: { above: number }): void {
    const last = this.blocks.at(-1)
    if (last?.kind === 'paragraph' && last.format)
      this.blocks[this.blocks.length - 1] = { ...last, format: { ...last.format, below: 0 } }
    format.above = 0
  }

  /** Ends the paragraph before what stands between its lines. */
  #flush(): void {
    if (this.#pieces.length > 0) this.#end?.()
  }

  #inline(parent: HtmlElement, look: RunLook): void {
    for (const element of elementsIn(parent)) {
      const { name, attribs } = element
      if (name === 'w:r') this.#run(element, look)
      else if (name === 'w:fldSimple') {
        const field = this.#fields.simple(attribs['w:instr'] ?? '')
        if (field) this.#pieces.push(field)
        else this.#inline(element, look)
      } else if (name === 'mc:AlternateContent') this.#alternate(element, (each) => this.#inline(each, look))
      else if (/^m:oMath(Para)?$/.test(name)) this.#leaveOut('equation')
      else if (name === 'w:p') this.#paragraph(element)
      else if (holders.has(name)) this.#inline(element, look)
    }
  }

  #run(run: HtmlElement, base: RunLook): void {
    const rPr = childOf(run, 'w:rPr')
    const look = { ...base, ...this.#document.styles.run(valueOf(rPr, 'w:rStyle')), ...readRun(rPr) }
    for (const element of elementsIn(run)) this.#inRun(element, look)
  }

  #inRun(element: HtmlElement, look: RunLook): void {
    const { name, attribs } = element
    if (name === 'w:fldChar') {
      const piece = this.#fields.next(element)
      if (piece) this.#pieces.push(piece)
    } else if (name === 'w:instrText') this.#fields.instruct(textWithin(element))
    else if (this.#fields.isSilent || look.hidden) return
    else if (name === 'w:t') {
      const text = textWithin(element).replaceAll('\u00ad', '').replaceAll('\n', ' ')
      this.#text(attribs['xml:space'] === 'preserve' ? text : text.trim(), look)
    } else if (name === 'w:br') this.#break(attribs['w:type'])
    else if (name in signs) this.#text(signs[name]!, look)
    else if (name === 'w:sym') {
      const code = Number.parseInt(attribs['w:char'] ?? '', 16)
      if (code > 0) this.#text(bulletOf(String.fromCharCode(code), attribs['w:font']) ?? '', look)
    } else if (name === 'w:pgNum') this.#pieces.push({ text: '1', field: 'page' })
    else this.#inText(element, look)
  }

  /** What is no text but stands in it. */
  #inText(element: HtmlElement, look: RunLook): void {
    const { name } = element
    if (name === 'w:footnoteReference' || name === 'w:endnoteReference') {
      this.#pieces.push(this.#document.note(name === 'w:footnoteReference' ? 'footnote' : 'endnote', element))
    } else if (name === 'w:footnoteRef' || name === 'w:endnoteRef') this.#text(this.#mark, { ...look, script: 'super' })
    else if (name === 'w:drawing' || name === 'w:pict' || name === 'w:object') this.#drawing(element)
    else if (name === 'mc:AlternateContent') {
      this.#alternate(element, (chosen) => elementsIn(chosen).forEach((each) => this.#inRun(each, look)))
    } else if (holders.has(name)) this.#inline(element, look)
  }

  #text(text: string, { bold, underlined, struck, script, capitals, size }: RunLook): void {
    if (text === '') return
    const looks = {
      ...(bold ? { bold } : {}),
      ...(underlined ? { underlined } : {}),
      ...(struck ? { struck } : {}),
      ...(script ? { script } : {}),
    }
    this.#pieces.push({ text: capitals ? text.toUpperCase() : text, ...looks })
    this.#sizes.push({ size, length: text.length })
  }

  #break(type: string | undefined): void {
    if (type !== 'page' && type !== 'column') {
      this.#pieces.push({ text: '\n' })
      return
    }
    this.#flush()
    this.blocks.push({ kind: `${type}-break` })
  }

  #drawing(element: HtmlElement): void {
    const context = {
      media: this.#part.media,
      read: (content: HtmlElement) => this.#inside(content),
      leaveOut: this.#leaveOut,
    }
    const isObject = element.name === 'w:object'
    const before = this.#document.undrawn.length
    const found = element.name === 'w:drawing' ? readDrawing(element, context) : readPict(element, context)
    if (isObject && (!found || this.#document.undrawn.length > before)) {
      this.#document.undrawn.splice(before)
      this.#leaveOut('embedded object')
    }
    if (
      !found ||
      (found.kind === 'drawing' &&
        found.shapes.every(({ outline, text = [], picture }) => !outline && !picture && text.length === 0))
    )
      return
    if (found.kind === 'drawing' && found.place) {
      this.blocks.push(found)
      return
    }
    const isAlone = textOf(this.#pieces).trim() === ''
    if (isAlone) this.#pieces = []
    this.#flush()
    this.blocks.push(found)
  }
}
