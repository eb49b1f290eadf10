import { asSentence } from '../http/call-provider.ts'
import type { FailureKind, StatusUpdate } from '../provider.ts'
import { isBeforeAnyPage, isTooFine, isUnable, tooFineSentence } from './broken-call.ts'

/** A failure as Phaxio and Sinch number it: both use one list ("Error Messages" of the Sinch Fax API). */
export interface FaxError {
  /** `documentConversionError` or `DOCUMENT_CONVERSION_ERROR`: the two spell alike but for case and underscores. */
  type: string | null
  code: number | null
  message: string | null
  /** Pages the far end confirmed; undefined when the provider does not say. */
  pagesConfirmed: number | undefined
}

const codes = (kind: FailureKind, ...numbers: number[]) => numbers.map((number) => [number, kind] as const)

/** Calls that were never answered by a fax machine. A dropped call (11) may have carried pages, so it is not one of these. */
const lineKinds: ReadonlyMap<number, FailureKind> = new Map([
  ...codes('busy', 17),
  ...codes('no_answer', 16, 30, 87, 112),
  ...codes('line_error', 15, 19, 43, 88, 100, 110, 121),
  ...codes('bad_number', 52, 73, 115),
  ...codes('rejected', 32, 34, 49, 50),
])
/** Numbers that mean the same whatever type they come with. */
const accountKinds: ReadonlyMap<number, FailureKind> = new Map([
  ...codes('rejected', 46),
  ...codes('cancelled', 75, 76),
])

/** What a type and a number mean together: some numbers stand in the lists of several types. */
const meanings: Readonly<Record<string, (name: string) => Meaning>> = {
  'documentconversionerror 54': (name) => ({
    kind: 'bad_document',
    sentence: `${name} could not fetch the document from its link, and did not dial.`,
    again: 'as_it_is',
  }),
  'documentconversionerror 57': (name) => ({
    kind: 'bad_document',
    sentence: `${name} could not store the document, and did not dial.`,
    again: 'as_it_is',
  }),
  'faxerror 79': (name) => ({
    kind: 'rejected',
    sentence: `${name} had already completed this fax. Ask the recipient whether it arrived.`,
  }),
  'faxerror 113': (name) => ({
    kind: 'bad_document',
    sentence: `The document was deleted at ${name} before it could be sent.`,
  }),
  'faxerror 133': (name) => ({ kind: 'bad_number', sentence: `${name} does not permit faxes to this number.` }),
}

const sentences: Partial<Record<FailureKind, string>> = {
  busy: 'The line was busy.',
  no_answer: 'Nobody answered the call.',
  line_error: 'The call could not be put through.',
  bad_number: 'The number cannot be reached.',
  bad_document: 'The document could not be turned into fax pages.',
  cancelled: 'The fax was canceled at the provider.',
  partial: 'The transmission was cut off, and pages may have been printed.',
  rejected: 'The fax could not be sent.',
}

type Meaning = Pick<StatusUpdate, 'kind' | 'sentence' | 'again'>
const ofKind = (kind: FailureKind): Meaning => ({ kind, sentence: sentences[kind] ?? 'The fax could not be sent.' })

function meaningOf(name: string, { type, code, message, pagesConfirmed }: FaxError): Meaning {
  const known = code === null ? undefined : accountKinds.get(code)
  if (known) return ofKind(known)
  const spelled = type?.toLowerCase().replace(/[^a-z]/g, '') ?? ''
  const exact = meanings[`${spelled} ${code}`]
  if (exact) return exact(name)
  const words = message?.trim() ?? ''
  // A page that is not confirmed may have been printed; words about the time before it settle the matter.
  const dropped = ofKind(pagesConfirmed === 0 && isBeforeAnyPage(words) ? 'line_error' : 'partial')
  switch (spelled) {
    case 'documentconversionerror':
      return ofKind('bad_document')
    case 'lineerror':
    case 'callerror':
      return code === 11 ? dropped : ofKind(lineKinds.get(code ?? 0) ?? 'line_error')
    // Between two machines that talked.
    case 'faxerror':
      if (isTooFine(words)) return { kind: 'rejected', sentence: tooFineSentence }
      if (isUnable(words)) return { kind: 'rejected', sentence: 'The receiving machine cannot accept this fax.' }
      return dropped
    default:
      return ofKind('rejected')
  }
}

/** What a failed fax means in our words, with the provider's own beside them. @param name the provider, for people */
export function failureOf(
  name: string,
  error: FaxError,
): Pick<StatusUpdate, 'state' | 'kind' | 'sentence' | 'again' | 'pagesConfirmed'> {
  const meaning = meaningOf(name, error)
  const words = error.message?.trim() ? ` ${name} says: ${asSentence(error.message)}` : ''
  return {
    state: 'failed',
    ...meaning,
    sentence: `${meaning.sentence}${words}`,
    ...(error.pagesConfirmed === undefined ? {} : { pagesConfirmed: error.pagesConfirmed }),
  }
}
