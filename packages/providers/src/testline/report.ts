import { access } from 'node:fs/promises'
import type { FailureKind, IncomingFax, StatusUpdate } from '@faxdeck/provider-kit'
import type { Call, Ending } from './calls.ts'
import { isMissing } from './page-store.ts'

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
export function updateOf({ attempt, plan, pages, ending }: Call): StatusUpdate | undefined {
  const ids = { attemptId: attempt, providerId: callIdOf(attempt) }
  if (plan === 'unknown') return undefined
  if (!ending) return { ...ids, state: 'in_progress', word: 'calling' }
  if (ending === 'delivered') return { ...ids, state: 'delivered', pagesConfirmed: pages, word: ending }
  return { ...ids, state: 'failed', ...failures[ending], pagesConfirmed: ending === 'partial' ? 1 : 0, word: ending }
}

/** The fax as the far machine received it: `failed`, without document, when the disk has lost the pages. */
export async function incomingFax(call: Call, path: string, to: string | null): Promise<IncomingFax> {
  const fax = {
    providerId: callIdOf(call.attempt),
    from: stationNumber,
    to,
    pages: call.pages,
    receivedAt: new Date(call.ended_at ?? call.begun_at),
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
