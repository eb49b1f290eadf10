import type { IncomingFax } from '../provider.ts'

/** The words in which a provider says how a fax came in. */
export interface EndingWords {
  received: readonly string[]
  failed: readonly string[]
  /** The fax is still coming in: nothing is to be recorded yet. */
  underWay: readonly string[]
}

export type Ending = Pick<IncomingFax, 'state'> & { sentence?: string }

const longestWord = 60

/**
 * How a received fax ended, by the word of its provider. A word that is not among the known ones, or none at all, is
 * `unclear` and never nothing, because the sender believes that it has arrived.
 * @param name the provider, for people
 * @param hasDocument whether the document came along; then even a fax "under way" is there to be looked at
 * @returns undefined while the fax is still coming in
 */
export function endingOf(name: string, word: string, words: EndingWords, hasDocument: boolean): Ending | undefined {
  if (words.received.includes(word)) return { state: 'received' }
  if (words.failed.includes(word)) return { state: 'failed' }
  if (words.underWay.includes(word) && !hasDocument) return undefined
  const shown = word
    .replace(/[^\x20-\x7e]|"/g, '')
    .trim()
    .slice(0, longestWord)
  const said =
    shown === ''
      ? `${name} did not say how this fax ended.`
      : `${name} gave this fax the status "${shown}", which Faxdeck does not know.`
  return { state: 'unclear', sentence: `${said} Check whether all pages arrived.` }
}
