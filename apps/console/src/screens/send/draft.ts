import { isFaxNumber } from '@faxdeck/contract/phone'
import type { DocumentKind } from './document-kind.ts'
import { isSameNumber, splitRecipients } from './phone-format.ts'

export interface ChosenFile {
  file: File
  kind: DocumentKind
}
export interface SentFax {
  id: string
  to: string
  status: string
}
export interface FailedFax {
  to: string
  problem: unknown
}

/** A fax being composed. It lives until it is sent or cleared, also while another screen is shown. */
export interface Draft {
  /** Recipients already added, as they are shown. */
  recipients: string[]
  /** What stands in the number field. */
  typed: string
  source: 'file' | 'text'
  chosen: ChosenFile | undefined
  text: string
  /** The Idempotency-Key of each recipient already tried: a retry must not become a second fax. */
  keys: { to: string; key: string }[]
  sent: SentFax[]
  failed: FailedFax[]
}

export const blankDraft: Draft = {
  recipients: [],
  typed: '',
  source: 'file',
  chosen: undefined,
  text: '',
  keys: [],
  sent: [],
  failed: [],
}

export type Composed = Pick<Draft, 'source' | 'chosen' | 'text'>

/** Everybody the fax would go to: those added, and a whole number still standing in the field. */
export function recipientsOf({ recipients, typed }: Draft): string[] {
  const more = isFaxNumber(typed) && !recipients.some((one) => isSameNumber(one, typed))
  return more ? [...recipients, typed] : recipients
}

/** The file that would be sent; typed text becomes a UTF-8 text file. */
export function documentOf({ source, chosen, text }: Composed): File | undefined {
  if (source === 'file') return chosen?.file
  return text.trim() === '' ? undefined : new File([text], 'typed-text.txt', { type: 'text/plain' })
}

export interface DraftProblems {
  number: string | undefined
  document: string | undefined
}

/** What stands in the way of sending, in the field's words. */
export function problemsOf(draft: Draft): DraftProblems {
  const unfinished = draft.typed.trim() !== '' && !isFaxNumber(draft.typed)
  return {
    number: unfinished || recipientsOf(draft).length === 0 ? 'Please enter a valid phone number' : undefined,
    document: documentOf(draft) ? undefined : 'Please select a PDF or TXT file to send',
  }
}

/** Moves the numbers of a text to the recipients; what is no number stays in the field. */
export function addRecipients(draft: Draft, text: string, country: string): Draft {
  const { numbers, rest } = splitRecipients(text, country)
  const added = numbers.filter((number) => !draft.recipients.some((one) => isSameNumber(one, number)))
  return { ...draft, recipients: [...draft.recipients, ...added], typed: rest }
}

export function removeRecipient(draft: Draft, number: string): Draft {
  return {
    ...draft,
    recipients: draft.recipients.filter((one) => one !== number),
    failed: draft.failed.filter((one) => one.to !== number),
  }
}

/** Another document is another fax: its keys start anew. */
export function changeDocument(draft: Draft, change: Partial<Composed>): Draft {
  return { ...draft, ...change, keys: [], failed: [] }
}

/** Whether clearing would lose something a person entered. */
export function holdsWork(draft: Draft): boolean {
  return draft.recipients.length > 0 || draft.typed.trim() !== '' || draft.text.trim() !== '' || Boolean(draft.chosen)
}

/** The draft after its faxes were handed over: those refused stay, with the document, to be tried again. */
export function settle(draft: Draft, sent: SentFax[], failed: FailedFax[]): Draft {
  const all = [...sent, ...draft.sent]
  if (failed.length === 0) return { ...blankDraft, source: draft.source, sent: all }
  return {
    ...draft,
    recipients: failed.map((fax) => fax.to),
    typed: '',
    keys: draft.keys.filter(({ to }) => failed.some((fax) => fax.to === to)),
    sent: all,
    failed,
  }
}
