import { formatNumber, isFaxNumber } from '@faxdeck/contract/phone'
import {
  dropDuplicates,
  type ListedRecipient,
  maxRecipients,
  numberKey,
  readRecipients,
  type RecipientColumns,
  type RefusedRow,
} from '@faxdeck/contract/recipients'
import { grouped } from '../../../ui/words/figures.ts'

/** Up to so many numbers are faxes of their own; more are one broadcast, shown as a summary. */
const maxChips = 10

/** A list of numbers, too many to show each. */
export interface RecipientList {
  recipients: ListedRecipient[]
  duplicates: ListedRecipient[]
  refused: RefusedRow[]
}

/** Two numbers with the same key are the same; the gateway, which knows how they are dialed, finds the rest. */
function keyOf(to: string, country: string): string {
  const key = numberKey(to)
  const isNational = (country === 'US' || country === 'CA') && key.length === 10 && !to.startsWith('+')
  return isNational ? `1${key}` : key
}

const plain = (to: string): ListedRecipient => ({ row: 0, to, name: null, reference: null })

/**
 * The list that a pasted text makes together with the recipients that are there; undefined while they are few.
 * @param chips numbers added one by one
 * @param columns those that a person chose; then it is a list, however short
 */
export function withPasted(
  list: RecipientList | undefined,
  chips: readonly string[],
  text: string,
  country: string,
  columns?: RecipientColumns,
): RecipientList | undefined {
  const { recipients, refused } = readRecipients(text, columns)
  const before = list?.recipients ?? chips.map(plain)
  // A few are shown one by one, unless that would lose their names.
  const areFew = before.length + recipients.length + refused.length <= maxChips
  if (!list && areFew && !columns && !(recipients.length > 1 && recipients.some(({ name }) => name !== null)))
    return undefined
  const { once, duplicates } = dropDuplicates([...before, ...recipients], (to) => keyOf(to, country))
  return {
    recipients: once,
    duplicates: [...(list?.duplicates ?? []), ...duplicates],
    refused: [...(list?.refused ?? []), ...refused],
  }
}

/** The recipients of a list as the gateway takes them. */
export function asJson({ recipients }: RecipientList, typed: string): string {
  const last = isFaxNumber(typed) ? [{ to: typed }] : []
  const entries = recipients.map(({ to, name, reference }) => ({
    to,
    ...(name === null ? {} : { name }),
    ...(reference === null ? {} : { reference }),
  }))
  return JSON.stringify([...entries, ...last])
}

/** The list without some of its numbers, each with the reason why it is left out. */
export function withoutNumbers(list: RecipientList, left: ReadonlyMap<string, string>): RecipientList {
  const isLeft = ({ to }: ListedRecipient) => left.has(to)
  const refused = list.recipients.filter(isLeft).map(({ row, to }) => ({ row, text: to, reason: left.get(to) ?? '' }))
  return {
    ...list,
    recipients: list.recipients.filter((each) => !isLeft(each)),
    refused: [...list.refused, ...refused],
  }
}

const counted = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`

/** How many of a list have a name, where some have: "names: 196 of 200". */
export function namesOf({ recipients }: Pick<RecipientList, 'recipients'>): string | undefined {
  const count = recipients.filter(({ name }) => name !== null).length
  return count === 0 ? undefined : `names: ${grouped(count)} of ${grouped(recipients.length)}`
}

/** "4,980 numbers, names: 4,975 of 4,980, 12 duplicates removed, 8 invalid". */
export function summaryOf({ recipients, duplicates, refused }: RecipientList): string {
  const names = namesOf({ recipients })
  return [
    counted(recipients.length, 'number', 'numbers'),
    ...(names ? [names] : []),
    ...(duplicates.length > 0 ? [`${counted(duplicates.length, 'duplicate', 'duplicates')} removed`] : []),
    ...(refused.length > 0 ? [`${grouped(refused.length)} invalid`] : []),
  ].join(', ')
}

/** Why a list cannot be sent as it is. */
export function listProblem({ recipients }: RecipientList): string | undefined {
  if (recipients.length === 0) return 'Please enter a valid phone number'
  if (recipients.length <= maxRecipients) return undefined
  return `A broadcast can go to up to ${grouped(maxRecipients)} numbers. This list has ${grouped(recipients.length)}.`
}

/** A number with whom it belongs to, for reading. */
export const recipientInWords = ({ to, name }: ListedRecipient, country: string): string =>
  name === null ? formatNumber(to, country) : `${formatNumber(to, country)}, ${name}`
