import type { PageMarks } from '@faxdeck/contract'
import type { PageWord } from '@faxdeck/documents'
import type { Database } from '../../base/db/database.ts'
import type { Direction } from './store.ts'
import { isSought, type Query, queryOf } from './fold.ts'
import { unpackWords } from './layout.ts'
import { readLayouts } from './store.ts'

/** A page full of the same word is not marked all over. */
const maxMarks = 200
/** Words before and after the first that was found. */
const around = 6

const placeOf = ({ left, top, width, height }: PageWord) => ({
  left,
  top,
  // Rounded, a share may reach beyond the edge.
  width: Math.min(width, 1 - left),
  height: Math.min(height, 1 - top),
})

function marksOf(page: number, words: readonly PageWord[], query: Query): PageMarks | undefined {
  const found = words.filter(({ text }) => isSought(text, query)).slice(0, maxMarks)
  return found.length === 0 ? undefined : { page, places: found.map(placeOf) }
}

/** Where on the pages of a fax the words stand that somebody typed; only pages that have some. */
export async function readMarks(
  { db }: Database,
  direction: Direction,
  faxId: string,
  typed: string,
): Promise<PageMarks[]> {
  const query = queryOf(typed)
  if (!query) return []
  const pages = await readLayouts(db, direction, faxId)
  return pages.flatMap(({ page, layout }) => (layout === null ? [] : (marksOf(page, unpackWords(layout), query) ?? [])))
}

/** The words around the first one that was looked for; null when the page has none of them. */
export function excerptOf(layout: string | null, query: Query): string | null {
  const words = layout === null ? [] : unpackWords(layout)
  const at = words.findIndex(({ text }) => isSought(text, query))
  if (at === -1) return null
  const from = Math.max(0, at - around)
  const some = words.slice(from, at + around + 1).map(({ text }) => text)
  return `${from > 0 ? '… ' : ''}${some.join(' ')}${at + around + 1 < words.length ? ' …' : ''}`
}
