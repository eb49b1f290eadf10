import {
  failureOf,
  type Fields,
  type ListPage,
  ProviderProblem,
  readFields,
  type StatusUpdate,
} from '@faxdeck/provider-kit'

/** What we read of a fax object of Sinch. */
export interface SinchFax {
  id: string
  direction: string
  status: string
  fields: Fields
}

/** Ids of Sinch look like ULIDs; whatever they are, they are one word. */
const idShape = /^[\w-]{1,100}$/

/** A fax object of Sinch, or undefined when it is not one. */
export function readFax(value: unknown): SinchFax | undefined {
  const fields = readFields(value)
  const id = fields?.text('id') ?? ''
  if (!fields || !idShape.test(id)) return undefined
  return { id, direction: fields.text('direction'), status: fields.text('status'), fields }
}

/** The faxes of an answer: one alone, or several under `faxes`, depending on what was asked. */
export function readFaxes(body: unknown): SinchFax[] {
  const listed = readFields(body)?.value('faxes')
  return (Array.isArray(listed) ? listed : [body]).flatMap((each) => readFax(each) ?? [])
}

/** A page of a list; what its counts are called varies. @throws {ProviderProblem} `uncertain` for anything else */
export function readPage(body: unknown): ListPage<SinchFax> {
  const fields = readFields(body)
  const listed = fields?.list('faxes') ?? []
  const items = listed.map(readFax).filter((fax) => fax !== undefined)
  if (!fields || !Array.isArray(fields.value('faxes')) || items.length < listed.length) {
    throw new ProviderProblem('uncertain', 'Sinch answered with something that is not a list of faxes.')
  }
  const count = (name: string) => fields.count(name, Number.MAX_SAFE_INTEGER)
  const number = count('pageNumber') ?? count('page')
  return { items, number, size: count('pageSize'), total: count('totalItems') ?? count('total') }
}

/**
 * The attempt by the label that we gave along; else by the callback address, which Sinch gives back with its password
 * masked.
 */
export const attemptOf = ({ fields }: SinchFax): string | undefined =>
  fields.object('labels')?.text('attempt') || /[?&]attempt=([0-9a-f]{32})(?:&|$)/.exec(fields.text('callbackUrl'))?.[1]

export const createdAt = ({ fields }: SinchFax): Date | undefined => fields.date('createTime')
export const numberOf = ({ fields }: SinchFax): string => fields.text('to')

export const errorOf = ({ fields }: SinchFax) => ({
  type: fields.text('errorType') || null,
  code: fields.count('errorCode') ?? fields.count('errorId') ?? null,
  message: fields.text('errorMessage') || null,
  pagesConfirmed: fields.count('pagesSentSuccessfully'),
})

/** What a sent fax's state means. Words that nobody has described are "in progress". */
export function updateOf(fax: SinchFax): StatusUpdate {
  const reference = attemptOf(fax)
  const [to, account] = [numberOf(fax), fax.fields.text('projectId')]
  const known = {
    providerId: fax.id,
    word: fax.status,
    ...(reference ? { attemptId: reference, reference } : {}),
    ...(to === '' ? {} : { to }),
    ...(account === '' ? {} : { account }),
  }
  const pagesConfirmed = fax.fields.count('pagesSentSuccessfully') ?? fax.fields.count('numberOfPages')
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

/** A sent fax in a list: its state, and when Sinch took it. */
export function listedOf(fax: SinchFax): StatusUpdate {
  const at = createdAt(fax)
  return { ...updateOf(fax), ...(at ? { at } : {}) }
}
