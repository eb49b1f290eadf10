import type { Database } from '../../base/db/database.ts'
import type { VisibleFaxes } from '../../access/visible.ts'
import type { Direction } from './store.ts'
import { queryOf } from './fold.ts'
import { findPages } from './store.ts'

/** Pages looked at: a search stays quick among millions. */
const maxPages = 600
/** Of faxes whose text the caller may not see, more pages are passed over. */
const maxPassedOver = 10_000
const maxFaxes = 200

export interface FoundFaxes {
  /** Those that were read last come first, at most 200. */
  ids: string[]
  /** True when there may be more. */
  isMinimum: boolean
}

/**
 * The faxes of a direction on a page of which all words are found that somebody typed, or whose number begins or ends
 * so. @param visible among which faxes: no other is counted against a limit
 * @param mayReadText false for those who may see the list of faxes, but not the faxes
 */
export async function findFaxes(
  database: Database,
  direction: Direction,
  typed: string,
  { visible = 'all', mayReadText = true }: { visible?: VisibleFaxes; mayReadText?: boolean } = {},
): Promise<FoundFaxes> {
  const query = queryOf(typed)
  if (!query) return { ids: [], isMinimum: false }
  const max = mayReadText ? maxPages : maxPassedOver
  const pages = await findPages(database, direction, query, { max, factsOnly: !mayReadText, visible })
  const ids = [...new Set(pages.map(({ fax_id: id }) => id))]
  return { ids: ids.slice(0, maxFaxes), isMinimum: pages.length === max || ids.length > maxFaxes }
}
