import type { Block, Flow, Paragraph, Piece, Undrawn } from '../flow.ts'
import { DocxPackage, type Part } from './docx-package.ts'
import { DocxNumbers, numberFormats } from './docx-numbers.ts'
import { DocxSections } from './docx-sections.ts'
import { DocxStyles, pointsOf, valueOf } from './docx-styles.ts'
import { WordReader } from './docx-text.ts'
import type { HtmlElement } from './html-nodes.ts'
import { type NoteKind, NoteMarks } from './numbering.ts'
import { childOf, elementsIn } from './xml.ts'

/** What all parts of a Word document share while it is read. */
export class DocxDocument {
  readonly styles: DocxStyles
  readonly numbers: DocxNumbers
  readonly undrawn: Undrawn[] = []
  readonly pitch: number
  readonly #endnotes: Block[] = []
  readonly #notes: Record<NoteKind, Part>
  readonly #marks = new NoteMarks()
  readonly #sections: DocxSections
  readonly #main: Part
  #isInNote = false

  constructor(file: DocxPackage) {
    this.#main = file.main
    const settings = file.byType('settings').root
    this.styles = new DocxStyles(file.byType('styles').root)
    this.numbers = new DocxNumbers(file.byType('numbering').root, (style) => this.styles.own(style).paragraph.list)
    const body = elementsIn(this.#main.root)[0]
    const grid = childOf(childOf(body, 'w:sectPr'), 'w:docGrid')?.attribs
    this.pitch = /lines/i.test(grid?.['w:type'] ?? '') ? (pointsOf(grid?.['w:linePitch']) ?? 0) : 0
    this.#notes = { footnote: file.byType('footnotes'), endnote: file.byType('endnotes') }
    for (const kind of ['footnote', 'endnote'] as const) {
      const given = [childOf(body, 'w:sectPr'), settings].map((each) =>
        valueOf(childOf(each, `w:${kind}Pr`), 'w:numFmt'),
      )
      const format = numberFormats[given.find((each) => each !== undefined) ?? '']
      if (format) this.#marks.kinds[kind].format = format
    }
    const bands = new Map<string, readonly Block[]>()
    this.#sections = new DocxSections((id) => {
      const part = file.byId(id)
      const found = bands.get(id) ?? (part?.root ? this.#read(part, part.root) : [])
      bands.set(id, found)
      return found
    }, settings)
  }

  get flow(): Flow {
    const body = elementsIn(this.#main.root).find(({ name }) => name === 'w:body')
    const reader = new WordReader(this, this.#main, { isText: true })
    if (body) reader.readAll(body)
    const blocks = [...reader.blocks]
    // What a section is follows its content.
    for (const [index, sectPr] of reader.sections
      .map(({ at, sectPr }) => [at, this.#sections.section(sectPr)] as const)
      .reverse()) {
      blocks.splice(index, 0, sectPr)
    }
    if (this.#endnotes.length > 0) blocks.push({ kind: 'rule' }, ...this.#endnotes)
    return { blocks, notes: [], undrawn: this.undrawn }
  }

  #read(part: Part, content: HtmlElement, mark?: string): Block[] {
    const reader = new WordReader(this, part, mark === undefined ? {} : { mark })
    reader.readAll(content)
    return reader.blocks
  }

  #readNote(part: Part, content: HtmlElement, mark: string): Block[] {
    this.#isInNote = true
    const blocks = this.#read(part, content, mark)
    this.#isInNote = false
    return blocks
  }

  /** A note as what stands in the text for it; endnotes are kept for the end. */
  note(kind: NoteKind, { attribs }: HtmlElement): Piece {
    const hasOwnMark = /^(1|true|on)$/.test(attribs['w:customMarkFollows'] ?? '')
    const mark = hasOwnMark ? '' : this.#marks.next(kind)
    const part = this.#notes[kind]
    const content = elementsIn(part.root).find((each) => each.attribs['w:id'] === attribs['w:id'])
    // A note that names itself would never end.
    const blocks = content && !this.#isInNote ? this.#readNote(part, content, mark) : []
    const piece: Piece = { text: mark, script: 'super' }
    const [first] = blocks
    // Word leaves it to the writer to put a blank behind the mark.
    if (first?.kind === 'paragraph' && first.pieces[0]?.text === mark && /^\S/.test(first.pieces[1]?.text ?? '')) {
      blocks[0] = { ...first, pieces: [first.pieces[0], { text: ' ' }, ...first.pieces.slice(1)] }
    }
    if (kind === 'footnote')
      return { ...piece, note: blocks.filter((each): each is Paragraph => each.kind === 'paragraph') }
    this.#endnotes.push(...blocks)
    return piece
  }
}

/**
 * A Word document (ECMA-376): text, tables, lists, notes, pictures, shapes, headers and footers. Deleted text of tracked
 * changes is left out. Macros never run and nothing is loaded.
 * @throws {DocumentProblem} `broken`, `too_large`, and `unsupported` for other office documents and archives
 */
export function readDocx(bytes: Uint8Array): Flow {
  return new DocxDocument(new DocxPackage(bytes)).flow
}
