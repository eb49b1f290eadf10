import type { ParagraphFormat, Piece } from '../flow.ts'
import type { ParagraphLook } from './docx-styles.ts'
import type { HtmlElement } from './html-nodes.ts'
import { childOf, elementsIn } from './xml.ts'

/** What is read of fields (ECMA-376-1, 17.16): their results, and page numbers anew. */
export class FieldStack {
  readonly #open: { instruction: string; hasResult: boolean; isReplaced: boolean; sign?: string }[] = []

  /** Whether what is read is an instruction, or a result that is written anew. */
  get isSilent(): boolean {
    return this.#open.some(({ hasResult, isReplaced }) => !hasResult || isReplaced)
  }

  instruct(text: string): void {
    const field = this.#open.at(-1)
    if (field && !field.hasResult) field.instruction += text
  }

  /** What stands for a simple field; undefined for one whose result is read. */
  simple(instruction: string): Piece | undefined {
    const [, name] = /^\s*(PAGE|NUMPAGES|SECTIONPAGES)\b/i.exec(instruction) ?? []
    if (name === undefined || this.isSilent) return undefined
    return { text: '1', field: name.toUpperCase() === 'PAGE' ? 'page' : 'pages' }
  }

  /** Begins, divides or ends a field; returns what stands for it. */
  next(mark: HtmlElement): Piece | undefined {
    const type = mark.attribs['w:fldCharType']
    if (type === 'begin') {
      const sign = checkBox(childOf(childOf(mark, 'w:ffData'), 'w:checkBox'))
      this.#open.push({ instruction: '', hasResult: false, isReplaced: false, ...(sign ? { sign } : {}) })
      return undefined
    }
    const field = this.#open.pop()
    if (!field) return undefined
    if (type === 'end') return field.hasResult || this.isSilent ? undefined : this.#standIn(field)
    const piece = this.#standIn(field)
    const shown = this.isSilent ? undefined : piece
    this.#open.push({ ...field, hasResult: true, isReplaced: piece !== undefined })
    return shown
  }

  #standIn({ instruction, sign }: { instruction: string; sign?: string }): Piece | undefined {
    return sign === undefined ? this.simple(instruction) : { text: sign }
  }
}

function checkBox(box: HtmlElement | undefined): string | undefined {
  if (!box) return undefined
  const states = elementsIn(box).filter(({ name }) => name === 'w:checked' || name === 'w:default')
  const state = states.find(({ name }) => name === 'w:checked') ?? states[0]
  return state && !/^(0|false|off)$/.test(state.attribs['w:val'] ?? '1') ? '☒' : '☐'
}

/** The size of most of the text. */
export function commonSize(sizes: readonly { size: number | undefined; length: number }[]): number | undefined {
  const lengths = new Map<number, number>()
  for (const { size, length } of sizes) if (size !== undefined) lengths.set(size, (lengths.get(size) ?? 0) + length)
  return [...lengths].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** A paragraph as it is laid out. */
export function formatOf(
  look: ParagraphLook,
  size: number | undefined,
): ParagraphFormat & { above: number; below: number } {
  const { align, left, right, first, above = 0, below = 0, spacing, keepsNext, tabs } = look
  return {
    ...(align && align !== 'left' ? { align } : {}),
    ...{ left: left ?? 0, right: right ?? 0, first: first ?? 0, above, below },
    ...(size === undefined ? {} : { size }),
    ...(spacing === undefined ? {} : { spacing }),
    ...(keepsNext ? { keepsNext } : {}),
    ...(tabs && tabs.length > 0 ? { tabs } : {}),
  }
}
