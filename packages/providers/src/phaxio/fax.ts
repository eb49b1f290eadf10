import { failureOf, type Fields, type ListPage, readFields, type StatusUpdate } from '@faxdeck/provider-kit'

/** What we read of Phaxio's fax object. */
export interface PhaxioFax {
  id: string
  direction: string
  status: string
  fields: Fields
}

/** A fax object of Phaxio, or undefined when it is not one. The id is an integer, kept as text. */
export function readFax(value: unknown): PhaxioFax | undefined {
  const fields = readFields(value)
  const id = fields?.count('id', Number.MAX_SAFE_INTEGER)
  if (!fields || id === undefined) return undefined
  return { id: String(id), direction: fields.text('direction'), status: fields.text('status'), fields }
}

/** The only recipient of our faxes knows more than the fax itself. */
const recipientOf = ({ fields }: PhaxioFax): Fields | undefined =>
  fields.list('recipients').flatMap((each) => readFields(each) ?? [])[0]

export function errorOf(fax: PhaxioFax) {
  const from = fax.fields.text('error_type') === '' ? (recipientOf(fax) ?? fax.fields) : fax.fields
  return {
    type: from.text('error_type') || null,
    code: from.count('error_id') ?? null,
    message: from.text('error_message') || null,
    // Phaxio counts the pages of the document, not those that arrived before it failed.
    pagesConfirmed: undefined,
  }
}

/** The attempt we gave along with the fax. */
export const attemptOf = ({ fields }: PhaxioFax): string | undefined =>
  fields.object('tags')?.text('attempt') || undefined

export const createdAt = ({ fields }: PhaxioFax): Date | undefined => fields.date('created_at')

/** What an answer says of the pages of its list. Of very long lists the total is no number. */
export function pagingOf(paging: Fields | undefined): Omit<ListPage<never>, 'items'> {
  const count = (name: string) => paging?.count(name, Number.MAX_SAFE_INTEGER)
  return { number: count('page'), size: count('per_page'), total: count('total') }
}

/** What a sent fax's state means. Words that nobody has described are "in progress". */
export function updateOf(fax: PhaxioFax): StatusUpdate {
  const reference = attemptOf(fax)
  const to = recipientOf(fax)?.text('phone_number') || fax.fields.text('to_number')
  const isTest = fax.fields.value('is_test')
  const known = {
    providerId: fax.id,
    word: fax.status,
    ...(reference ? { attemptId: reference, reference } : {}),
    ...(to === '' ? {} : { to }),
    ...(typeof isTest === 'boolean' ? { isTest } : {}),
  }
  const pages = fax.fields.count('num_pages')
  switch (fax.status) {
    case 'queued':
    case 'pendingbatch':
      return { ...known, state: 'queued' }
    case 'success':
      return { ...known, state: 'delivered', ...(pages === undefined ? {} : { pagesConfirmed: pages }) }
    case 'failure':
    case 'partialsuccess':
      return { ...known, ...failureOf('Phaxio', errorOf(fax)) }
    default:
      return { ...known, state: 'in_progress' }
  }
}

/** A sent fax in a list: its state, and when Phaxio took it. */
export function listedOf(fax: PhaxioFax): StatusUpdate {
  const at = createdAt(fax)
  return { ...updateOf(fax), ...(at ? { at } : {}) }
}
