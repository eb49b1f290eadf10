import type { IncomingFax, StatusUpdate } from './updates.ts'

/** Characters of a text; whatever is longer is not for people. */
const longestText = 4000
const longestSentence = 1000
const longestId = 400
const longestNumber = 100
const longestWord = 60

/**
 * Foreign words without what is not seen, or turns the direction of writing, and bounded. PostgreSQL stores no NUL, and a
 * person who reads a number has to see what it is.
 */
export function plainText(text: string, max = longestText): string {
  return text
    .slice(0, 2 * max)
    .toWellFormed()
    .replace(/[\t\n\r]+/g, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '')
    .slice(0, max)
    .toWellFormed()
}

const plainNumber = (number: string | null) =>
  number === null ? null : plainText(number, longestNumber).trim() || null

/** The texts of a value that are there, cleaned. */
function cleaned<T extends object>(value: T, longest: Partial<Record<keyof T, number>>): T {
  const changes = Object.entries(longest).flatMap(([name, max]) => {
    const text = value[name as keyof T]
    return typeof text === 'string' ? [[name, plainText(text, Number(max))]] : []
  })
  return { ...value, ...(Object.fromEntries(changes) as Partial<T>) }
}

/** What a provider reports about a fax, its words cleaned. */
export const plainUpdate = (update: StatusUpdate): StatusUpdate =>
  cleaned(update, {
    attemptId: longestId,
    providerId: longestId,
    sentence: longestSentence,
    word: longestWord,
    to: longestNumber,
    reference: longestId,
    account: longestId,
  })

/** A received fax, its words cleaned. What its document is called where it lies stays as long as it is. */
export function plainFax(fax: IncomingFax): IncomingFax {
  const { document } = fax
  const isLinked = document !== null && 'fetch' in document
  return {
    ...cleaned(fax, { providerId: longestId, sentence: longestSentence, notification: Infinity }),
    from: plainNumber(fax.from),
    to: plainNumber(fax.to),
    document: isLinked ? { fetch: plainText(document.fetch) } : document,
  }
}
