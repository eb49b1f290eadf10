import { access } from 'node:fs/promises'
import type { FailureKind, IncomingFax, StatusUpdate } from '@faxdeck/provider-kit'
import type { Call } from './calls.ts'
import { isMissing } from './journal.ts'
import type { Ending } from './record.ts'

/** The number that faxes received over the test line come from. */
const stationNumber = '+15555550000'

const failures: Partial<Record<Ending, { kind: FailureKind; sentence: string }>> = {
  busy: { kind: 'busy', sentence: 'The line was busy.' },
  no_answer: { kind: 'no_answer', sentence: 'Nobody answered.' },
  partial: { kind: 'partial', sentence: 'The call was cut after page 1.' },
  cancelled: { kind: 'cancelled', sentence: 'The call was given up before a page went out.' },
}

/** The line's id of a call. */
export function callIdOf(attempt: string): string {
  return `call-${attempt}`
}

/** The attempt of a call id; an empty text when the id is not of this line. */
export function attemptOf(callId: string): string {
  return callId.startsWith('call-') ? callId.slice('call-'.length) : ''
}

/** The state of a call in the words of the provider interface; undefined when the answer was lost. */
export function updateOf({ taken, ended }: Call): StatusUpdate | undefined {
  const ids = { attemptId: taken.attempt, providerId: callIdOf(taken.attempt) }
  if (taken.ending === 'unknown') return undefined
  if (!ended) return { ...ids, state: 'in_progress', word: 'calling' }
  const word = ended.ending
  if (word === 'delivered') return { ...ids, state: 'delivered', pagesConfirmed: taken.pages, word }
  return { ...ids, state: 'failed', ...failures[word], pagesConfirmed: word === 'partial' ? 1 : 0, word }
}

/** The fax as the far machine received it: `failed`, without document, when the disk has lost the pages. */
export async function incomingFax({ taken, ended }: Call, path: string, to: string | null): Promise<IncomingFax> {
  const fax = {
    providerId: callIdOf(taken.attempt),
    from: stationNumber,
    to,
    pages: taken.pages,
    receivedAt: new Date(ended?.at ?? taken.at),
    isTest: true,
  }
  try {
    await access(path)
    return { ...fax, state: 'received', document: { path } }
  } catch (error) {
    if (!isMissing(error)) throw error
    return { ...fax, state: 'failed', sentence: 'The test line has lost the pages of this fax.', document: null }
  }
}
