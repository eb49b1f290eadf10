import { ProviderProblem } from '../provider.ts'

/** One page of a provider's list. Whatever the provider does not say is undefined. */
export interface ListPage<T> {
  items: readonly T[]
  /** The page's own number. */
  number?: number | undefined
  /** How many items a page holds, where that is not what was asked for. */
  size?: number | undefined
  /** Items of all pages together. */
  total?: number | undefined
}

/** More than anybody sends between two looks; only an endless list has more pages. */
const maxPages = 500

/**
 * Reads a list to its end, whether its pages are counted from 0 or from 1: the first request names no page, and the
 * following ones go by what the answers say. Pages that repeat others are passed over.
 * @param asked how many items a page was asked to hold
 * @param read reads a page; the first one without a number
 * @throws {ProviderProblem} `uncertain` when the end cannot be seen
 */
export async function readPages<T extends { id: string }>(
  name: string,
  asked: number,
  read: (page: number | undefined) => Promise<ListPage<T>>,
): Promise<T[]> {
  const found = new Map<string, T>()
  const add = ({ items }: ListPage<T>) => {
    const before = found.size
    for (const item of items) found.set(item.id, item)
    return found.size > before
  }
  const first = await read(undefined)
  add(first)
  // Faxes that are made meanwhile are no part of what was asked for.
  const { total } = first
  const isWhole = ({ items, size = asked }: ListPage<T>) =>
    total === undefined ? items.length < Math.min(size, asked) : found.size >= total
  // Where the count begins is not said: page 1 is then either the first one again or the next.
  let next = (first.number ?? 0) + 1
  let page = first
  let repeats = 0
  while (!isWhole(page)) {
    if (next > maxPages) throw endless(name)
    page = await read(next)
    if (page.items.length === 0) {
      if (total !== undefined) throw endless(name)
      break
    }
    repeats = add(page) ? 0 : repeats + 1
    if (repeats > 1) throw endless(name)
    next += 1
  }
  return [...found.values()]
}

const endless = (name: string) => new ProviderProblem('uncertain', `The list of ${name} could not be read to its end.`)
