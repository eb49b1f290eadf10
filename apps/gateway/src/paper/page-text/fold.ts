import { endingDigits, reverseDigits } from '../../base/number.ts'

/** Longer ones are not words. */
const longestToken = 64
/** Chinese, Japanese kanji: every character is a word, because nothing stands between words. */
const token = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{N}])+/gu
/** Before the digits of a number from its end, so that "ends with" is "begins with". */
const backwards = 'rev'

/** The words of a text as they are compared: without accents, case and punctuation. */
export function tokensOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(token) ?? []).map((word) => word.slice(0, longestToken))
}

const digitsOf = (text: string) => text.replace(/\D/g, '')
const turned = (digits: string) => backwards + reverseDigits(digits)

/** What a fax number is found by: its digits, from either end. */
export function tokensOfNumber(number: string | null): string[] {
  const digits = digitsOf(number ?? '')
  return digits === '' ? [] : [digits, turned(digits)]
}

/** The numbers of a received fax. */
export const factsOfReceived = (fax: { from_number: string | null; to_number: string | null }): string[] => [
  ...tokensOfNumber(fax.from_number),
  ...tokensOfNumber(fax.to_number),
]

/** Each once, as the database holds them. */
export const joinTokens = (tokens: readonly string[]): string => [...new Set(tokens)].join(' ')

/** One word that is looked for; `isBeginning` when longer ones fit that begin so. */
export interface Term {
  token: string
  isBeginning: boolean
}

/** What is looked for: all terms on one page, or a number that begins or ends so. */
export interface Query {
  terms: Term[]
  number: Term[]
}

/** From so many letters on, the last word that is typed is taken for the beginning of one. */
const leastBeginning = 3
const maxTerms = 12

/** What somebody typed. Undefined when there is nothing in it to look for. */
export function queryOf(typed: string): Query | undefined {
  const tokens = tokensOf(typed).slice(0, maxTerms)
  if (tokens.length === 0) return undefined
  const terms = tokens.map((each, at) => ({
    token: each,
    isBeginning: at === tokens.length - 1 && each.length >= leastBeginning,
  }))
  const digits = digitsOf(typed)
  const isNumber = digits.length >= leastBeginning && /^[\d\s+().…-]+$/.test(typed)
  const ending = endingDigits(typed)
  const ends = ending.length >= leastBeginning ? [turned(ending)] : []
  const number = isNumber
    ? [...new Set([digits, turned(digits), ...ends])].map((each) => ({ token: each, isBeginning: true }))
    : []
  return { terms, number }
}

/** Whether a word on a page is one of those that are looked for. */
export function isSought(word: string, { terms, number }: Query): boolean {
  const digits = digitsOf(word)
  return (
    tokensOf(word).some((own) =>
      terms.some(({ token: sought, isBeginning }) => (isBeginning ? own.startsWith(sought) : own === sought)),
    ) ||
    (digits !== '' && number.some(({ token: sought }) => digits.startsWith(sought)))
  )
}

/** Long words are rare ones: where they lead, the pages of the others are passed over. */
const writeTerms = (terms: readonly Term[], write: (term: Term) => string, and: string) =>
  terms
    .toSorted((a, b) => b.token.length - a.token.length)
    .map(write)
    .join(and)

/** In the language of SQLite's FTS5. */
export function matchOf({ terms, number }: Query): string {
  const write = ({ token: each, isBeginning }: Term) => `"${each}"${isBeginning ? '*' : ''}`
  const words = writeTerms(terms, write, ' AND ')
  return number.length === 0 ? words : `(${words}) OR ${writeTerms(number, write, ' OR ')}`
}

/** In the language of PostgreSQL's tsquery. */
export function tsqueryOf({ terms, number }: Query): string {
  const write = ({ token: each, isBeginning }: Term) => `'${each}'${isBeginning ? ':*' : ''}`
  const words = writeTerms(terms, write, ' & ')
  return number.length === 0 ? words : `(${words}) | ${writeTerms(number, write, ' | ')}`
}
