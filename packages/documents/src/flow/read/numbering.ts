import { formatNumber, type NumberFormat } from '../number-format.ts'
import type { Paragraph, Piece } from '../flow.ts'
import type { ParagraphLook } from './docx-styles.ts'

/** A level of a list. A bullet is a label without numbers, and its format is "none". */
export interface ListLevel {
  start: number
  format: NumberFormat
  /** What its label consists of: texts, and levels (from 0) whose numbers stand in it. */
  label: readonly (string | number)[]
  /** All numbers in its label are written with digits. */
  isLegal?: boolean
  /** The level whose numbers begin it anew: every one above it when left out, none when 0. */
  restart?: number | undefined
  /** How its paragraphs stand. */
  look: ParagraphLook
}

export type ListLevels = ReadonlyMap<number, ListLevel>

/** The last number of each level of a list. */
export type ListCounts = (number | undefined)[]

/** Counts the next item of a level, and gives its label; undefined where there is none to see. */
export function nextLabel(levels: ListLevels, counts: ListCounts, at: number): string | undefined {
  const level = levels.get(at)
  if (!level) return undefined
  counts[at] = (counts[at] ?? level.start - 1) + 1
  for (let deeper = at + 1; deeper < counts.length; deeper++) {
    const { restart } = levels.get(deeper) ?? {}
    if (restart === undefined || (restart > 0 && at < restart)) counts[deeper] = undefined
  }
  const numberAt = (each: number) => {
    const { format = 'decimal', start = 1 } = levels.get(each) ?? {}
    return formatNumber(counts[each] ?? start, level.isLegal && format !== 'none' ? 'decimal' : format)
  }
  const label = level.label.map((part) => (typeof part === 'number' ? numberAt(part) : part))
  return label.join('').trim() || undefined
}

/** A list as Word defines it (ECMA-376-1, 17.9; RTF 1.9.1, List Tables). */
export interface WordList {
  levels: ListLevels
  /** Lists of the same definition are counted together. */
  definition: string | number
  /** By level: numbers that the list begins with when it is first met. */
  starts: ReadonlyMap<number, number>
}

/** Counts the lists of a document of Word's as it is read. */
export class WordNumbers<Id> {
  readonly #lists: ReadonlyMap<Id, WordList>
  readonly #counts = new Map<string | number, ListCounts>()
  readonly #met = new Set<Id>()

  constructor(lists: ReadonlyMap<Id, WordList>) {
    this.#lists = lists
  }

  levelsOf(id: Id): ListLevels {
    return this.#lists.get(id)?.levels ?? new Map()
  }

  /** The label of the next paragraph of a list; undefined where there is none to see. */
  next(id: Id, at: number): string | undefined {
    const list = this.#lists.get(id)
    if (!list?.levels.has(at)) return undefined
    const counts = this.#counts.get(list.definition) ?? []
    this.#counts.set(list.definition, counts)
    if (!this.#met.has(id)) for (const [level, start] of list.starts) counts[level] = start - 1
    this.#met.add(id)
    // An item counts for the levels above it that had none.
    for (let upper = 0; upper < at; upper++) counts[upper] ??= list.levels.get(upper)?.start ?? 1
    return nextLabel(list.levels, counts, at)
  }
}

/** Levels that begin with other numbers in one list. */
export const withStarts = (levels: ListLevels, starts: ReadonlyMap<number, number>): ListLevels =>
  new Map(Array.from(levels, ([at, level]) => [at, { ...level, start: starts.get(at) ?? level.start }]))

export type NoteKind = 'footnote' | 'endnote'

/** Counts the notes of a document in the order in which their marks are met. */
export class NoteMarks {
  readonly kinds: Record<NoteKind, { format: NumberFormat; prefix?: string; suffix?: string; count: number }> = {
    footnote: { format: 'decimal', count: 0 },
    endnote: { format: 'lower-roman', count: 0 },
  }

  /** The mark of the next note. */
  next(kind: NoteKind): string {
    const { format, prefix = '', suffix = '' } = this.kinds[kind]
    return prefix + formatNumber((this.kinds[kind].count += 1), format) + suffix
  }
}

/** A note that begins with its mark. */
export function withMark([first, ...others]: readonly Paragraph[], text: string): Paragraph[] {
  const mark: Piece = { text, script: 'super' }
  return first ? [{ ...first, pieces: [mark, { text: ' ' }, ...first.pieces] }, ...others] : []
}
