import { createHmac, hkdfSync } from 'node:crypto'
import type { GatewayContext } from '../../base/context.ts'
import type { Database } from '../../base/db/database.ts'
import { seal, unseal } from '../../base/settings/seal.ts'
import type { Query, Term } from './fold.ts'

/** Under what name the key of page text stands among those of documents. */
export const textKeyName = 'page-text'

/** What is found by its beginning, up to so many characters; what is typed beyond them is not compared. */
const longestBeginning = 12
const longestNumber = 20
const leastBeginning = 3
/** Hexadecimal digits of a term: two words out of a million million are taken for each other. */
const termDigits = 10
const mark = 'e1:'

const beginningOf = (token: string) => (/^(?:rev)?\d+$/.test(token) ? longestNumber : longestBeginning)

/**
 * Seals what pages say, and turns words into terms that are found without being known (a keyed hash of each word and of
 * each of its beginnings). Whoever reads the database learns which pages share a word, not which word.
 */
export class PageCipher {
  readonly #texts: Buffer
  readonly #terms: Buffer
  readonly id: string

  constructor(key: Buffer) {
    const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `faxdeck page ${purpose}`, 32))
    this.#texts = keyFor('text')
    this.#terms = keyFor('terms')
    this.id = keyFor('id').toString('hex').slice(0, 8)
  }

  #termOf = (kind: '=' | '^', token: string) =>
    createHmac('sha256', this.#terms).update(`${kind}${token}`).digest('hex').slice(0, termDigits)

  /** All that a page with these words is found by. */
  termsOf(tokens: readonly string[]): string[] {
    return tokens.flatMap((token) => {
      const terms = [this.#termOf('=', token)]
      const last = Math.min(token.length, beginningOf(token))
      for (let length = leastBeginning; length <= last; length++) terms.push(this.#termOf('^', token.slice(0, length)))
      return terms
    })
  }

  /** The same question about pages whose words are terms. */
  questionOf({ terms, number }: Query): Query {
    const of = ({ token, isBeginning }: Term): Term => ({
      token: isBeginning ? this.#termOf('^', token.slice(0, beginningOf(token))) : this.#termOf('=', token),
      isBeginning: false,
    })
    return { terms: terms.map(of), number: number.map(of) }
  }

  /** @param name what the text belongs to: it opens under this name only */
  seal = (name: string, text: string): string => `${mark}${this.id}:${seal(this.#texts, name, text)}`

  /** @throws {SealBroken} */
  open = (name: string, sealed: string): string => unseal(this.#texts, name, sealed)
}

const byDatabase = new WeakMap<Database, PageCipher>()
/** Texts name the key that they were sealed with, so that whoever reads a row needs nothing but the row. */
const byId = new Map<string, PageCipher>()

/** Makes the key of a database's page text known to this process. */
export function usePageKey(database: Database, key: Buffer): void {
  const cipher = new PageCipher(key)
  byDatabase.set(database, cipher)
  byId.set(cipher.id, cipher)
}

/** What words in this database may have been sealed with. */
export const cipherOf = (database: Database): PageCipher | undefined => byDatabase.get(database)

/** What text is written with now; undefined while encryption is off. */
export async function writingCipher({ database, documentKeys }: GatewayContext): Promise<PageCipher | undefined> {
  return (await documentKeys.isOn()) ? cipherOf(database) : undefined
}

const isSealedText = (text: string): boolean => text.startsWith(mark)

/** A text as it was before it was sealed; one that never was comes back as it is. @throws {SealBroken} */
export function openText(name: string, text: string): string {
  if (!isSealedText(text)) return text
  const [, id = '', sealed = ''] = text.split(':')
  const cipher = byId.get(id)
  if (!cipher) throw new Error('The text of a page was sealed with a key that is not in the database.')
  return cipher.open(name, sealed)
}

export const layoutName = (faxId: string, page: number): string => `page ${faxId} ${page}`
export const codesName = (faxId: string): string => `codes ${faxId}`
