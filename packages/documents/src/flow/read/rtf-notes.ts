import { type Block, type Paragraph, paragraph, type Piece, plain, textIn } from '../flow.ts'
import type { NumberFormat } from '../number-format.ts'
import { NoteMarks, withMark } from './numbering.ts'
import type { RtfStory } from './rtf-story.ts'

const formats: Readonly<Record<string, NumberFormat>> = {
  ...{ ar: 'decimal', alc: 'lower-letter', auc: 'upper-letter', rlc: 'lower-roman', ruc: 'upper-roman', chi: 'signs' },
}

/** Counts the notes of a rich text document, and puts them where they belong (RTF 1.9.1, Footnotes). */
export class RtfNotes {
  readonly #marks = new NoteMarks()
  /** What stands behind the document. */
  readonly endnotes: Block[] = []
  /** Whether the note that is read is an endnote. */
  isEndnote = false

  /** Whether a word is about notes. */
  set(word: string, number = 1): boolean {
    const [, isEnd, format] = /^s?(a?)ftnn(ar|alc|auc|rlc|ruc|chi)$/.exec(word) ?? []
    if (format !== undefined) this.#marks.kinds[isEnd ? 'endnote' : 'footnote'].format = formats[format]!
    else if (word === 'ftnstart') this.#marks.kinds.footnote.count = number - 1
    else if (word === 'aftnstart') this.#marks.kinds.endnote.count = number - 1
    else if (word === 'ftnalt') this.isEndnote = true
    else return false
    return true
  }

  /** A note that was read, with the marks in it, whose mark is the last in the text. */
  end(blocks: readonly Block[], inside: readonly Piece[], text: RtfStory): void {
    const paragraphs = blocks.flatMap((block): Paragraph[] => {
      if (block.kind === 'paragraph') return [block]
      const words = textIn(block)
      return words.trim() === '' ? [] : [paragraph(plain(words))]
    })
    let note = paragraphs
    if (text.marks.length === 0 && !text.endsInMark()) text.appendMark()
    const marks = text.marks.splice(0)
    if (marks.length > 0) {
      const number = this.#marks.next(this.isEndnote ? 'endnote' : 'footnote')
      for (const piece of [...marks, ...inside]) piece.text = number
      if (inside.length === 0) note = withMark(paragraphs, number)
    }
    const mark = marks.at(-1) ?? text.lastSign()
    if (this.isEndnote) this.endnotes.push(...note)
    else mark.note = note
    this.isEndnote = false
  }
}
