import type { StatusUpdate } from '../updates.ts'

/** What we know of an attempt that somebody speaks of. */
export interface KnownFax {
  attemptId: string
  /** The provider's id, once it has given one. */
  providerId?: string | undefined
  /** E.164. */
  to: string
  /** The account that it was handed to, as the provider names it. */
  account?: string | undefined
  /** The path of the link to its document. */
  documentPath: string
}

/** Only what is written like a telephone number can be compared: not a SIP address, nor a masked number. */
const numberShape = /^[+\d\s().\-/]+$/
/** Shorter ones are extensions, or nothing that names a line. */
const fewestDigits = 7

const digitsOf = (number: string) => number.replace(/\(0\)|\D/g, '').replace(/^0+/, '')

/** Whether two numbers can be one line: written with or without the prefixes of country and trunk. */
export function mayBeSameNumber(one: string, other: string): boolean {
  if (!numberShape.test(one) || !numberShape.test(other)) return true
  const [a, b] = [digitsOf(one), digitsOf(other)]
  if (Math.min(a.length, b.length) < fewestDigits) return true
  return a.endsWith(b) || b.endsWith(a)
}

const linkShape = /\/fax\/[0-9a-f]{32}\/pdf\b/

/**
 * What says that an answer of a provider is not about the fax it seems to be about: the answer to a submission or a poll,
 * a callback, an entry of a list. What it does not say contradicts nothing.
 * @returns a part of a sentence, without numbers: "it names another id"; undefined when everything fits
 */
export function contradictionIn(update: StatusUpdate, known: KnownFax): string | undefined {
  const { providerId, attemptId, reference, to, account, documentUrl } = update
  if (providerId !== undefined && known.providerId !== undefined && providerId !== known.providerId)
    return 'it names another id'
  if ([attemptId, reference].some((mark) => mark !== undefined && mark !== known.attemptId))
    return 'it carries the reference of another fax'
  if (to !== undefined && !mayBeSameNumber(to, known.to)) return 'it names another number'
  if (account !== undefined && known.account !== undefined && account.toLowerCase() !== known.account.toLowerCase())
    return 'it comes from another account'
  const link = linkShape.exec(documentUrl ?? '')?.[0]
  if (link !== undefined && link !== known.documentPath) return 'it is about another document'
  return undefined
}

/** Whether a delivery confirms fewer pages than were sent. */
export const confirmsTooFew = (confirmed: number | null | undefined, pages: number): boolean =>
  typeof confirmed === 'number' && confirmed < pages
