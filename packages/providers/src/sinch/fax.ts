import {
  endingOf,
  failureOf,
  type IncomingFax,
  type ListPage,
  ProviderProblem,
  type StatusUpdate,
} from '@faxdeck/provider-kit'

/** What we read of a fax object of Sinch. Everything may be missing: it comes from outside. */
export interface SinchFax {
  id: string
  direction: string
  status: string
  raw: Readonly<Record<string, unknown>>
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined
}

/** Ids of Sinch look like ULIDs; whatever they are, they are one word. */
const idShape = /^[\w-]{1,100}$/

/** A fax object of Sinch, or undefined when it is not one. */
export function readFax(value: unknown): SinchFax | undefined {
  if (!isObject(value)) return undefined
  const id = textOf(value.id)
  if (id === null || !idShape.test(id)) return undefined
  return { id, direction: textOf(value.direction) ?? '', status: textOf(value.status) ?? '', raw: value }
}

/** The faxes of an answer: one alone, or several under `faxes`, depending on what was asked. */
export function readFaxes(body: unknown): SinchFax[] {
  const listed: unknown[] = isObject(body) && Array.isArray(body.faxes) ? body.faxes : [body]
  return listed.flatMap((each) => readFax(each) ?? [])
}

/** A page of a list; what its counts are called varies. @throws {ProviderProblem} `uncertain` for what is none */
export function readPage(body: unknown): ListPage<SinchFax> {
  const listed: unknown[] = isObject(body) && Array.isArray(body.faxes) ? body.faxes : [undefined]
  const items = listed.map(readFax).filter((fax) => fax !== undefined)
  if (!isObject(body) || items.length < listed.length) {
    throw new ProviderProblem('uncertain', 'Sinch answered with something that is no list of faxes.')
  }
  const number = countOf(body.pageNumber) ?? countOf(body.page)
  const total = countOf(body.totalItems) ?? countOf(body.total)
  return { items, number, size: countOf(body.pageSize), total }
}

/** The attempt in the callback address we gave along; Sinch gives the address back, with its password masked. */
export function attemptOf({ raw }: SinchFax): string | undefined {
  const url = textOf(raw.callbackUrl)
  return /[?&]attempt=([0-9a-f]{32})(?:&|$)/.exec(url ?? '')?.[1]
}

export const createdAt = ({ raw }: SinchFax): Date => new Date(textOf(raw.createTime) ?? Number.NaN)
export const numberOf = ({ raw }: SinchFax): string => textOf(raw.to) ?? ''

const errorOf = ({ raw }: SinchFax) => ({
  type: textOf(raw.errorType),
  code: countOf(raw.errorCode) ?? countOf(raw.errorId) ?? null,
  message: textOf(raw.errorMessage),
  pagesConfirmed: countOf(raw.pagesSentSuccessfully),
})

/** What a sent fax's state means. Words that nobody has described are "in progress". */
export function updateOf(fax: SinchFax): StatusUpdate {
  const attemptId = attemptOf(fax)
  const known = { providerId: fax.id, word: fax.status, ...(attemptId ? { attemptId } : {}) }
  const pagesConfirmed = countOf(fax.raw.pagesSentSuccessfully) ?? countOf(fax.raw.numberOfPages)
  switch (fax.status) {
    case 'QUEUED':
      return { ...known, state: 'queued' }
    case 'COMPLETED':
      return { ...known, state: 'delivered', ...(pagesConfirmed === undefined ? {} : { pagesConfirmed }) }
    case 'FAILURE':
      return { ...known, ...failureOf('Sinch', errorOf(fax)) }
    default:
      return { ...known, state: 'in_progress' }
  }
}

const endings = { received: ['COMPLETED'], failed: ['FAILURE'], underWay: ['QUEUED', 'IN_PROGRESS'] }

/** A received fax, or undefined while it is still coming in. */
export function incomingOf(fax: SinchFax, pushed?: Uint8Array): IncomingFax | undefined {
  const { raw, status, id } = fax
  const ending = endingOf('Sinch', status, endings, pushed !== undefined)
  if (!ending) return undefined
  const failed = ending.state === 'failed'
  const kept = !failed || raw.hasFile === true || raw.hasFile === 'true'
  const completed = new Date(textOf(raw.completedTime) ?? Number.NaN)
  return {
    providerId: id,
    from: textOf(raw.from),
    to: textOf(raw.to),
    pages: countOf(raw.numberOfPages) ?? null,
    ...ending,
    document: pushed ? { bytes: pushed } : kept ? { fetch: id } : null,
    ...(Number.isNaN(completed.getTime()) ? {} : { receivedAt: completed }),
    ...(failed ? { sentence: failureOf('Sinch', errorOf(fax)).sentence } : {}),
  }
}
