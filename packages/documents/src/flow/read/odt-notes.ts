import { formatNumber, type NumberFormat } from '../number-format.ts'
import type { HtmlElement, HtmlNode } from './html-nodes.ts'
import { numberFormats } from './odt-styles.ts'
import { childOf, findAll, numberOf, textWithin } from './xml.ts'

interface Numbering {
  format: NumberFormat
  prefix: string
  suffix: string
  count: number
}

/** The marks of notes, numbered as their configuration says (ISO/IEC 26300-1, 16.29): files may hold old ones. */
export class OdtNotes {
  readonly #kinds = new Map<string, Numbering>()

  constructor(styles: readonly HtmlNode[]) {
    for (const { attribs } of findAll(styles, 'text:notes-configuration')) {
      const kind = attribs['text:note-class'] ?? 'footnote'
      this.#kinds.set(kind, {
        format: numberFormats[attribs['style:num-format'] ?? (kind === 'endnote' ? 'i' : '1')] ?? 'decimal',
        ...{ prefix: attribs['style:num-prefix'] ?? '', suffix: attribs['style:num-suffix'] ?? '' },
        // Counted from 0.
        count: numberOf(attribs['text:start-value']) ?? 0,
      })
    }
  }

  /** The mark of the next note. */
  next(note: HtmlElement): string {
    const citation = childOf(note, 'text:note-citation')
    const label = citation?.attribs['text:label']
    if (citation && label !== undefined) return (label || textWithin(citation)).trim()
    const kind = note.attribs['text:note-class'] ?? 'footnote'
    const usual: Numbering = {
      format: kind === 'endnote' ? 'lower-roman' : 'decimal',
      prefix: '',
      suffix: '',
      count: 0,
    }
    const numbering = this.#kinds.get(kind) ?? usual
    this.#kinds.set(kind, numbering)
    numbering.count += 1
    return `${numbering.prefix}${formatNumber(numbering.count, numbering.format)}${numbering.suffix}`
  }
}
