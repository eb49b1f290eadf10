import Sqlite from 'better-sqlite3'
import { tokensOfNumber } from '../apps/gateway/src/paper/page-text/fold.ts'

/** Different words of the language, and on a page. */
const vocabulary = 50_000
const wordsAPage = 120
const pagesAFax = 4

const syllables =
  'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu bra cle dri fro gru sta the tri sch pro'.split(' ')

/** The word of a rank, 0 being the most frequent: short ones are frequent, as in a language. */
export function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + 30; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length] ?? ''
  return word
}

/** Numbers from 0 to 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const words = Array.from({ length: vocabulary }, (_, rank) => wordOf(rank))
/** What the places of words take on a real page, compressed: it is read only for pages that are shown. */
const layout = 'x'.repeat(2000)

/**
 * Adds pages number `from` to `to`, four of them a fax, with words as often as in a language: the one of rank r about
 * 1/r as often as the first (Zipf). @param path of a SQLite database with the gateway's tables
 */
export function seedPages(path: string, from: number, to: number): void {
  const raw = new Sqlite(path)
  raw.pragma('synchronous = off')
  const random = createRandom(from + 1)
  const drawRank = () => Math.floor(vocabulary ** random()) - 1
  const insert = raw.prepare(
    `insert into received_pages (fax_id, page, source, text, layout) values (?, ?, 'recognized', ?, ?)`,
  )
  const add = raw.transaction((first: number, last: number) => {
    for (let n = first; n < last; n++) {
      const fax = Math.floor(n / pagesAFax)
      const page = new Set<string>()
      while (page.size < wordsAPage) page.add(words[drawRank()] ?? '')
      const number = `+1555${String(1_000_000 + ((fax * 7919) % 9_000_000))}`
      const text = [...tokensOfNumber(number), ...page].join(' ')
      insert.run(fax.toString(16).padStart(32, '0'), (n % pagesAFax) + 1, text, layout)
    }
  })
  for (let n = from; n < to; n += 10_000) add(n, Math.min(to, n + 10_000))
  raw.close()
}
