import {
  asSentence,
  type CallFailure,
  isTooFine,
  isUnable,
  readFields,
  type StatusUpdate,
  tooFineSentence,
} from '@faxdeck/provider-kit'
import { name } from './account.ts'

/** What SignalWire reports about a fax, in an answer of its API or in a callback. */
export interface FaxFacts {
  sid: string
  status: string
  to: string
  account: string
  pages: number | undefined
  errorMessage: string
}

/** A fax as the API answers it. */
export interface ListedObject extends FaxFacts {
  direction: string
  from: string
  mediaUrl: string
  createdAt: Date | undefined
}

/** Reads a fax out of an answer; undefined when it is not one. */
export function readFax(body: unknown): ListedObject | undefined {
  const fields = readFields(body)
  if (!fields?.text('sid')) return undefined
  return {
    sid: fields.text('sid'),
    status: fields.text('status'),
    pages: fields.count('num_pages'),
    errorMessage: fields.text('error_message'),
    direction: fields.text('direction'),
    from: fields.text('from'),
    to: fields.text('to'),
    account: fields.text('account_sid'),
    mediaUrl: fields.text('media_url'),
    createdAt: fields.date('date_created'),
  }
}

/** The page of a list, and where the next one is; undefined when the answer is not a list. */
export function readList(body: unknown): { faxes: ListedObject[]; next: string | undefined } | undefined {
  const fields = readFields(body)
  if (!fields || !Array.isArray(fields.value('faxes'))) return undefined
  const faxes = fields.list('faxes').flatMap((each) => readFax(each) ?? [])
  return { faxes, next: fields.text('next_page_uri') || undefined }
}

/** SignalWire's own sentence of a refusal, and its number ("Error codes" of its documentation). */
export function readRefusal(body: unknown): { code: number | undefined; words: string | undefined } {
  const fields = readFields(body)
  return { code: fields?.count('code'), words: fields?.text('message') || undefined }
}

/** Messages of calls that ended before any page ("Common fax errors", and those of T.30 phase B before its first training). */
const beforeAnyPage =
  /^(connection failed|fax transmission not established|timed out waiting for (initial communication|the first message)|received (a DCN|other than DIS) while waiting for (a )?DIS)/i
/** It fetches the document before it dials, perhaps in the very moment in which this gateway is started again. */
const notFetched = /document loading/i
const unreadable = /document generation/i

const failures: Readonly<Record<string, CallFailure>> = {
  busy: { kind: 'busy', sentence: 'The line was busy.' },
  'no-answer': { kind: 'no_answer', sentence: 'Nobody answered the call.' },
  canceled: { kind: 'cancelled', sentence: 'The fax was canceled at SignalWire.' },
}

function failureOf({ status, errorMessage }: FaxFacts): CallFailure {
  const known = failures[status]
  if (known) return known
  const says = errorMessage === '' ? '' : ` ${name} says: ${asSentence(errorMessage)}`
  if (beforeAnyPage.test(errorMessage)) {
    return { kind: 'line_error', sentence: `The call ended before a page was sent.${says}` }
  }
  if (notFetched.test(errorMessage)) {
    return { kind: 'line_error', sentence: `${name} could not fetch the document, and did not dial.${says}` }
  }
  if (unreadable.test(errorMessage)) {
    const sentence = `The document could not be turned into pages.${says}`
    return { kind: 'bad_document', sentence, again: 'as_it_is' }
  }
  if (isTooFine(errorMessage)) return { kind: 'rejected', sentence: `${tooFineSentence}${says}`, again: 'coarser' }
  if (isUnable(errorMessage)) {
    return { kind: 'rejected', sentence: `The receiving machine cannot accept this fax. No page was sent.${says}` }
  }
  return { kind: 'partial', sentence: `The transmission failed, and pages may have been printed.${says}` }
}

/**
 * What a fax that was sent has come to. Only `delivered` is a success, and only then are the pages counted as
 * confirmed; a word that is not known is kept, and the fax is looked after further.
 */
export function updateOf(fax: FaxFacts): StatusUpdate {
  const { sid: providerId, status: word, pages, to, account } = fax
  const known = { providerId, word, ...(to === '' ? {} : { to }), ...(account === '' ? {} : { account }) }
  switch (word) {
    case 'queued':
      return { ...known, state: 'queued' }
    case 'delivered':
      return { ...known, state: 'delivered', ...(pages === undefined ? {} : { pagesConfirmed: pages }) }
    case 'failed':
    case 'busy':
    case 'no-answer':
    case 'canceled':
      return { ...known, state: 'failed', ...failureOf(fax) }
    default:
      return { ...known, state: 'in_progress' }
  }
}
