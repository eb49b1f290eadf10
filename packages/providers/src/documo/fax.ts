import { asSentence, type FailureKind, readFields, type StatusUpdate } from '@faxdeck/provider-kit'
import { type Account, name } from './account.ts'

/** What Documo reports about a fax, in an answer of its API or in a webhook. */
export interface FaxObject {
  messageId: string
  status: string
  direction: string
  faxNumber: string
  faxCallerId: string
  subject: string
  resultCode: string
  /** Its own words about how the fax ended. */
  words: string
  pagesCount: number | undefined
  pagesComplete: number | undefined
  createdAt: Date | undefined
}

/** Reads a fax; undefined when it is not one. */
export function readFax(value: unknown): FaxObject | undefined {
  const fields = readFields(value)
  if (!fields?.text('messageId')) return undefined
  return {
    messageId: fields.text('messageId'),
    status: fields.textOrNumber('status').toLowerCase(),
    direction: fields.textOrNumber('direction').toLowerCase(),
    faxNumber: fields.textOrNumber('faxNumber'),
    faxCallerId: fields.textOrNumber('faxCallerId'),
    subject: fields.textOrNumber('subject'),
    resultCode: fields.textOrNumber('resultCode'),
    words: fields.textOrNumber('errorInfo') || fields.textOrNumber('resultInfo'),
    pagesCount: fields.count('pagesCount'),
    pagesComplete: fields.count('pagesComplete'),
    createdAt: fields.date('createdAt'),
  }
}

/** Documo's own sentence of a refusal. */
export function wordsOf(body: unknown): string | undefined {
  const fields = readFields(body)
  const error = fields?.object('error')
  return (
    (error ? error.textOrNumber('message') : fields?.textOrNumber('error') || fields?.textOrNumber('message')) ||
    undefined
  )
}

/** Codes of the service itself, before there was a call. */
const ownCodes: Readonly<Record<string, FailureKind>> = { '5100': 'rejected', '5200': 'bad_document' }

const sentences: Partial<Record<FailureKind, string>> = {
  busy: 'The line was busy.',
  line_error: 'The call could not be put through.',
  rejected: 'Documo did not send the fax.',
  bad_document: 'The document could not be turned into fax pages.',
  cancelled: 'The fax was canceled at Documo.',
  partial: 'The transmission failed, and pages may have been printed.',
}

/** Codes decide only while Documo counts no page; whatever is not known may have carried pages. */
function kindOf(
  { status, resultCode, pagesComplete = 0 }: FaxObject,
  { busyCodes, lineErrorCodes }: Account,
): FailureKind {
  if (status === 'cancelled' || status === 'canceled') return 'cancelled'
  if (pagesComplete > 0) return 'partial'
  if (busyCodes.includes(resultCode)) return 'busy'
  if (lineErrorCodes.includes(resultCode)) return 'line_error'
  return ownCodes[resultCode] ?? 'partial'
}

/** The subject is our reference, where Documo gives it back. */
const attemptShape = /^[0-9a-f]{32}$/

/** What a fax that was sent has come to. Only `success` is one; a word that is not known is kept, and the fax looked after. */
export function updateOf(fax: FaxObject, account: Account): StatusUpdate {
  const { messageId: providerId, status: word, pagesComplete, subject, faxNumber: to } = fax
  const ids = {
    providerId,
    ...(attemptShape.test(subject) ? { attemptId: subject, reference: subject } : {}),
    ...(to === '' ? {} : { to }),
  }
  const pages = pagesComplete === undefined ? {} : { pagesConfirmed: pagesComplete }
  switch (word) {
    case 'processing':
    case 'scheduled':
      return { ...ids, state: 'queued', word }
    case 'success':
      return { ...ids, state: 'delivered', word, ...pages }
    case 'failed':
    case 'cancelled':
    case 'canceled': {
      const kind = kindOf(fax, account)
      const said = [fax.resultCode && `(${fax.resultCode})`, fax.words].filter(Boolean).join(' ')
      const sentence = `${sentences[kind] ?? 'The fax failed.'}${said === '' ? '' : ` ${name} says: ${asSentence(said)}`}`
      return { ...ids, state: 'failed', kind, sentence, word, ...pages }
    }
    default:
      return { ...ids, state: 'in_progress', word }
  }
}
