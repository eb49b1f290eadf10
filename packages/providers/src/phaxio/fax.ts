import { endingOf, failureOf, type IncomingFax, type StatusUpdate } from '@faxdeck/provider-kit'

/** What we read of Phaxio's fax object. Everything may be missing: it comes from outside. */
export interface PhaxioFax {
  id: string
  direction: string
  status: string
  raw: Readonly<Record<string, unknown>>
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function countOf(value: unknown): number | null {
  const count = typeof value === 'string' ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : null
}

/** A fax object of Phaxio, or undefined when it is not one. The id is an integer, kept as text. */
export function readFax(value: unknown): PhaxioFax | undefined {
  if (!isObject(value)) return undefined
  const id = countOf(value.id)
  if (id === null) return undefined
  return { id: String(id), direction: textOf(value.direction) ?? '', status: textOf(value.status) ?? '', raw: value }
}

/** The only recipient of our faxes knows more than the fax itself. */
function recipientOf({ raw }: PhaxioFax) {
  const recipients: unknown[] = Array.isArray(raw.recipients) ? raw.recipients : []
  return recipients.find(isObject)
}

function errorOf(fax: PhaxioFax) {
  const { raw } = fax
  const recipient = recipientOf(fax)
  const from = textOf(raw.error_type) === null && recipient ? recipient : raw
  return {
    type: textOf(from.error_type),
    code: countOf(from.error_id),
    message: textOf(from.error_message),
    // Phaxio counts the pages of the document, not those that arrived before it failed.
    pagesConfirmed: undefined,
  }
}

/** The attempt we gave along with the fax. */
export function attemptOf({ raw }: PhaxioFax): string | undefined {
  return isObject(raw.tags) ? (textOf(raw.tags.attempt) ?? undefined) : undefined
}

export const createdAt = ({ raw }: PhaxioFax): Date => new Date(textOf(raw.created_at) ?? Number.NaN)

/** What an answer says of the pages of its list. Of very long lists the total is no number. */
export function pagingOf(paging: unknown): { number?: number; size?: number; total?: number } {
  if (!isObject(paging)) return {}
  const [number, size, total] = [countOf(paging.page), countOf(paging.per_page), countOf(paging.total)]
  return {
    ...(number === null ? {} : { number }),
    ...(size === null ? {} : { size }),
    ...(total === null ? {} : { total }),
  }
}

/** What a sent fax's state means. Words that nobody has described are "in progress". */
export function updateOf(fax: PhaxioFax): StatusUpdate {
  const attemptId = attemptOf(fax)
  const known = { providerId: fax.id, word: fax.status, ...(attemptId ? { attemptId } : {}) }
  const pages = countOf(fax.raw.num_pages)
  switch (fax.status) {
    case 'queued':
    case 'pendingbatch':
      return { ...known, state: 'queued' }
    case 'success':
      return { ...known, state: 'delivered', ...(pages === null ? {} : { pagesConfirmed: pages }) }
    case 'failure':
    case 'partialsuccess':
      return { ...known, ...failureOf('Phaxio', errorOf(fax)) }
    default:
      return { ...known, state: 'in_progress' }
  }
}

const endings = { received: ['success'], failed: ['failure'], underWay: ['queued', 'pendingbatch', 'inprogress'] }
/** A sent fax in a list: its state, its number and when Phaxio took it. */
export function listedOf(fax: PhaxioFax): StatusUpdate {
  const to = textOf(recipientOf(fax)?.phone_number) ?? textOf(fax.raw.to_number)
  const at = new Date(textOf(fax.raw.created_at) ?? Number.NaN)
  return { ...updateOf(fax), ...(to === null ? {} : { to }), ...(Number.isNaN(at.getTime()) ? {} : { at }) }
}

/** A received fax, or undefined while it is still coming in. */
export function incomingOf(fax: PhaxioFax, pushed?: Uint8Array): IncomingFax | undefined {
  const { raw, status, id } = fax
  const ending = endingOf('Phaxio', status, endings, pushed !== undefined)
  if (!ending) return undefined
  const completed = new Date(textOf(raw.completed_at) ?? Number.NaN)
  const failed = ending.state === 'failed'
  const document = pushed ? { bytes: pushed } : failed ? null : { fetch: id }
  return {
    providerId: id,
    from: textOf(raw.from_number),
    to: textOf(raw.to_number),
    pages: countOf(raw.num_pages),
    ...ending,
    isTest: raw.is_test === true,
    document,
    ...(Number.isNaN(completed.getTime()) ? {} : { receivedAt: completed }),
    ...(failed ? { sentence: failureOf('Phaxio', errorOf(fax)).sentence } : {}),
  }
}
