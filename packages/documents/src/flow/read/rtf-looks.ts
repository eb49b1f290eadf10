import type { Align, Piece, TabStop } from '../flow.ts'
import type { ParagraphState } from './rtf-story.ts'

const twips = 20
/** No page is wider, in points. */
const farthest = 1584

/** How letters look; what is hidden is not shown. */
export type Look = Omit<Piece, 'text' | 'field' | 'note'> & { isHidden?: boolean; isCapital?: boolean }

const underlines = 'ul uld uldash uldashd uldashdd uldb ulth ulthd ulthdash ulw ulwave ulhwave'.split(' ')
/** Deleted is what a tracked change took away. */
const on: Readonly<Record<string, Look>> = {
  b: { bold: true },
  ...Object.fromEntries(underlines.map((word) => [word, { underlined: true }])),
  strike: { struck: true },
  striked: { struck: true },
  super: { script: 'super' },
  sub: { script: 'sub' },
  v: { isHidden: true },
  deleted: { isHidden: true },
  caps: { isCapital: true },
  scaps: { isCapital: true },
}
const off: Readonly<Record<string, keyof Look>> = { ulnone: 'underlined', nosupersub: 'script' }

/** A look after a word; the same one where the word is about something else. */
export function lookAfter(look: Look, word: string, number: number | undefined): Look {
  if (word === 'plain') return {}
  const change = Object.hasOwn(on, word) ? on[word]! : undefined
  if (change && number !== 0) return { ...look, ...change }
  const end = change ? (Object.keys(change)[0] as keyof Look) : Object.hasOwn(off, word) ? off[word] : undefined
  if (end === undefined) return look
  const { [end]: _gone, ...rest } = look
  return rest
}

const aligns: Readonly<Record<string, Align>> = { ql: 'left', qc: 'center', qr: 'right', qj: 'justify', qd: 'justify' }
const tabs: Readonly<Record<string, TabStop['align']>> = { tqc: 'center', tqr: 'right', tqdec: 'right' }
const lengths = { li: 'left', lin: 'left', ri: 'right', rin: 'right', fi: 'first', sb: 'above', sa: 'below' } as const

/** A paragraph's state, with the way that its next tab stop aligns, and its lines where they are said to be multiples. */
export type Standing = ParagraphState & { nextTab?: TabStop['align']; lines?: number }

export const standing: Standing = { depth: 0, list: 0, level: 0 }

/** How a paragraph stands after a word; undefined where the word is about something else. */
export function standingAfter(state: Standing, word: string, number = 0): Standing | undefined {
  if (word === 'pard') return standing
  if (Object.hasOwn(aligns, word)) return { ...state, align: aligns[word]! }
  if (Object.hasOwn(lengths, word)) {
    const points = Math.max(-farthest, Math.min(farthest, number / twips))
    return { ...state, [lengths[word as keyof typeof lengths]]: points }
  }
  if (Object.hasOwn(tabs, word)) return { ...state, nextTab: tabs[word]! }
  if (word === 'tx') {
    const { nextTab: align = 'left', ...rest } = state
    return { ...rest, tabs: [...(state.tabs ?? []).slice(0, 50), { at: number / twips, align }] }
  }
  if (word === 'intbl') return { ...state, depth: Math.max(1, state.depth) }
  if (word === 'itap') return { ...state, depth: Math.min(10, Math.max(0, number)) }
  if (word === 'ls') return { ...state, list: number }
  if (word === 'ilvl') return { ...state, level: Math.min(8, Math.max(0, number)) }
  if (word === 'keepn') return { ...state, keepsNext: true }
  if (word === 'pagebb') return { ...state, breaksPage: true }
  if (word === 'sl') return { ...state, lines: number / 240 }
  if (word !== 'slmult') return undefined
  return number === 1 && (state.lines ?? 0) > 0 ? { ...state, spacing: state.lines! } : state
}
