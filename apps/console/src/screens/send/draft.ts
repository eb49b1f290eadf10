import type { Tones, Unreadable } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import { isFaxNumber } from '@faxdeck/contract/phone'
import type { RecipientColumns } from '@faxdeck/contract/recipients'
import { blankCover, holdsWords, isSameCover, nextCover, type CoverDraft } from './cover-draft.ts'
import type { DocumentKind } from './document/document-kind.ts'
import { isSameNumber, splitRecipients } from './recipients/phone-format.ts'
import { listProblem, type RecipientList, withPasted } from './recipients/recipient-list.ts'

export interface ChosenFile {
  /** Distinguishes two choices, even of the same file. */
  id: string
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
  problem: CallProblem
}
/** A recipient with the Idempotency-Key of this fax to it. */
export interface KeyedRecipient {
  to: string
  key: string
}

/** A fax being composed. It lives until it is sent or cleared, also while another screen is shown. */
export interface Draft {
  /** Recipients already added, as they are shown. */
  recipients: string[]
  /** Many recipients, which are one broadcast; then `recipients` is empty. */
  list: RecipientList | undefined
  /** The Idempotency-Key of a broadcast that was tried already. */
  broadcastKey: string | undefined
  /** What stands in the number field. */
  typed: string
  /** Numbers that a person has confirmed although they most likely do not exist, as they are shown. */
  meant: string[]
  source: 'file' | 'text'
  chosen: ChosenFile | undefined
  text: string
  /** What a file is made black and white for; typed text needs no choice. */
  tones: Tones
  /** What happens when writing on its pages is lost. */
  unreadable: Unreadable
  /** Its page before the document. */
  cover: CoverDraft
  /** The id of the group it is sent for, where its sender chooses; otherwise ''. */
  group: string
  /** The Idempotency-Key of each recipient already tried: a retry must not become a second fax. */
  keys: KeyedRecipient[]
  /** Whether a scan is split at its separator sheets, which name the recipients. */
  split: boolean
  /** The Idempotency-Key of a split that was tried already. */
  splitKey: string | undefined
  /** While its faxes are being handed over. */
  sending: boolean
  sent: SentFax[]
  failed: FailedFax[]
}

export const blankDraft: Draft = {
  recipients: [],
  list: undefined,
  broadcastKey: undefined,
  typed: '',
  meant: [],
  source: 'file',
  chosen: undefined,
  text: '',
  tones: 'auto',
  unreadable: 'refuse',
  cover: blankCover,
  group: '',
  keys: [],
  split: false,
  splitKey: undefined,
  sending: false,
  sent: [],
  failed: [],
}

export type Composed = Pick<Draft, 'source' | 'chosen' | 'text' | 'tones' | 'unreadable' | 'cover' | 'group'>

/** Everybody the fax would go to: those added, and a whole number still standing in the field. */
export function recipientsOf({
  recipients: chips,
  list,
  typed,
}: Pick<Draft, 'recipients' | 'list' | 'typed'>): string[] {
  const recipients = list ? list.recipients.map(({ to }) => to) : chips
  const more = isFaxNumber(typed) && !recipients.some((one) => isSameNumber(one, typed))
  return more ? [...recipients, typed] : recipients
}

/** The file that would be sent; typed text becomes a UTF-8 text file. */
export function documentOf({
  source,
  chosen,
  text,
}: Omit<Composed, 'tones' | 'unreadable' | 'cover' | 'group'>): File | undefined {
  if (source === 'file') return chosen?.file
  return text.trim() === '' ? undefined : new File([text], 'typed-text.txt', { type: 'text/plain' })
}

/** Whether the document has tones to choose for: type that is set here is black. */
export const hasTones = ({ source, chosen }: Pick<Draft, 'source' | 'chosen'>) =>
  source === 'file' && chosen !== undefined && chosen.kind !== 'text'

/** Whether the document may be a scan with separator sheets. */
export const mayBeSplit = ({ source, chosen }: Pick<Draft, 'source' | 'chosen'>) =>
  source === 'file' && (chosen?.kind === 'pdf' || chosen?.kind === 'tiff')

/** Whether its recipients stand on its separator sheets. */
export const isSplit = (draft: Draft) => draft.split && mayBeSplit(draft)

/** The group that is asked for; none where there is no choice. */
export const groupFieldOf = ({ group }: Pick<Draft, 'group'>) => (group ? { group_id: group } : {})

/** How pages are converted to black and white. */
export const tonesOf = (draft: Draft): Tones => (hasTones(draft) ? draft.tones : 'auto')

export interface DraftProblems {
  number: string | undefined
  document: string | undefined
}

/** What stands in the way of sending, in the field's words. */
export function problemsOf(draft: Draft): DraftProblems {
  const unfinished = draft.typed.trim() !== '' && !isFaxNumber(draft.typed)
  const listed = draft.list && !isSplit(draft) ? listProblem(draft.list) : undefined
  return {
    number:
      !isSplit(draft) && (unfinished || recipientsOf(draft).length === 0)
        ? 'Please enter a valid phone number'
        : listed,
    document: documentOf(draft) ? undefined : 'Please select a PDF or TXT file to send',
  }
}

/** Moves the numbers of a text to the recipients; what is no number stays in the field, unless it belongs to a long list. */
export function addRecipients(draft: Draft, text: string, country: string, columns?: RecipientColumns): Draft {
  const list = withPasted(draft.list, draft.recipients, text, country, columns)
  if (list) return { ...draft, list, recipients: [], typed: '', broadcastKey: undefined, failed: [] }
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

/** Another document, or another cover, is another fax: its keys start anew. */
export function changeDocument(draft: Draft, change: Partial<Composed>): Draft {
  return {
    ...draft,
    unreadable: 'refuse',
    ...change,
    keys: [],
    splitKey: undefined,
    broadcastKey: undefined,
    failed: [],
  }
}

/** Whether clearing would lose something a person entered. */
export function holdsWork(draft: Draft): boolean {
  const { recipients, list, typed, text, chosen, cover } = draft
  const isWritten = [typed, text].some((written) => written.trim() !== '')
  return recipients.length > 0 || list !== undefined || isWritten || Boolean(chosen) || holdsWords(cover)
}

/** The draft as it is handed over: every recipient has its key, an earlier try's where there was one. */
export function startSending(draft: Draft, newKey: () => string): Draft {
  const recipients = recipientsOf(draft)
  const keys = recipients.map((to) => ({
    to,
    key: draft.keys.find((tried) => isSameNumber(tried.to, to))?.key ?? newKey(),
  }))
  return { ...draft, recipients, typed: '', keys, failed: [], sending: true }
}

const maxRemembered = 20

/** What is left of a draft once its document was sent. */
const withoutDocument = ({ cover }: Draft) =>
  ({
    chosen: undefined,
    text: '',
    tones: 'auto',
    unreadable: 'refuse',
    meant: [] as string[],
    cover: nextCover(cover),
  }) as const

const isSameDocument = (one: Draft, other: Draft) =>
  one.source === other.source &&
  one.chosen?.id === other.chosen?.id &&
  one.text === other.text &&
  one.tones === other.tones &&
  one.group === other.group &&
  isSameCover(one.cover, other.cover)

/**
 * The draft after its faxes were handed over: those refused stay, with the document, to be tried again; what was
 * entered meanwhile stays too.
 * @param started the draft as it was handed over
 */
export function settle(draft: Draft, started: Draft, sent: SentFax[], failed: FailedFax[]): Draft {
  const isRefused = (to: string) => failed.some((fax) => fax.to === to)
  const isDone = failed.length === 0 && isSameDocument(draft, started)
  return {
    ...draft,
    ...(isDone && withoutDocument(draft)),
    recipients: draft.recipients.filter((to) => isRefused(to) || !started.recipients.includes(to)),
    keys: draft.keys.filter(({ to }) => isRefused(to)),
    sending: false,
    sent: [...sent, ...draft.sent].slice(0, maxRemembered),
    failed,
  }
}

/** The draft after it was split and its faxes were accepted. What was entered meanwhile stays. */
export function settleSplit(draft: Draft, started: Draft, sent: SentFax[]): Draft {
  return {
    ...draft,
    ...(isSameDocument(draft, started) && withoutDocument(draft)),
    splitKey: undefined,
    sending: false,
    sent: [...sent, ...draft.sent].slice(0, maxRemembered),
  }
}

/** The draft after it was accepted as a broadcast. What was entered meanwhile stays. */
export function settleBroadcast(draft: Draft, started: Draft): Draft {
  return {
    ...draft,
    ...(isSameDocument(draft, started) && withoutDocument(draft)),
    ...(draft.list === started.list && { list: undefined }),
    ...(draft.typed === started.typed && { typed: '' }),
    broadcastKey: undefined,
    sending: false,
  }
}
