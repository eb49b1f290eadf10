import { type CallEnd, type CallFailure, hasBegunPage, judgeBrokenCall, printable } from '@faxdeck/provider-kit'
import { attemptOf } from './originate.ts'

/** Words of FreeSWITCH for Q.850 causes, as far as they report more than "it did not work". */
const causes: Readonly<Record<string, CallFailure>> = {
  USER_BUSY: { kind: 'busy', sentence: 'The line was busy.' },
  NO_ANSWER: { kind: 'no_answer', sentence: 'Nobody answered.' },
  NO_USER_RESPONSE: { kind: 'no_answer', sentence: 'Nobody answered.' },
  ALLOTTED_TIMEOUT: { kind: 'no_answer', sentence: 'Nobody answered.' },
  ORIGINATOR_CANCEL: { kind: 'no_answer', sentence: 'Nobody answered.' },
  SUBSCRIBER_ABSENT: { kind: 'no_answer', sentence: 'The called line is currently unavailable.' },
  UNALLOCATED_NUMBER: { kind: 'bad_number', sentence: 'There is no such number.' },
  NUMBER_CHANGED: { kind: 'bad_number', sentence: 'The number has changed.' },
  INVALID_NUMBER_FORMAT: { kind: 'bad_number', sentence: 'The number is not complete.' },
  CALL_REJECTED: { kind: 'rejected', sentence: 'The call was rejected.' },
  INVALID_GATEWAY: { kind: 'unreachable', sentence: 'FreeSWITCH knows no gateway of that name.' },
  GATEWAY_DOWN: { kind: 'unreachable', sentence: 'The gateway of FreeSWITCH is down.' },
}

/** The end of a call that nobody took. @param cause FreeSWITCH's word for it */
export function unansweredEnd(uuid: string, cause: string): CallEnd | undefined {
  const attemptId = attemptOf(uuid)
  if (attemptId === undefined) return undefined
  const word = /^[A-Z0-9_]{1,60}$/.test(cause) ? cause : 'NORMAL_UNSPECIFIED'
  const failure = causes[word] ?? {
    kind: 'line_error' as const,
    sentence: `The call could not be put through (${word.toLowerCase().replaceAll('_', ' ')}).`,
  }
  return { attemptId, providerId: uuid, state: 'failed', ...failure, pagesConfirmed: 0, word }
}

/** How the fax application ended, as an event or a hook reports it. */
export interface FaxResult {
  uuid: string
  success: boolean
  pages: number
  /** Of the page it was at, `0x0` before the first; undefined when not reported. */
  resolution: string | undefined
  /** What the far machine calls itself, empty when no machine said; undefined when not reported. */
  station: string | undefined
  text: string
}

/** The end of a call that somebody took. */
export function answeredEnd({ uuid, success, pages, resolution, station, text }: FaxResult): CallEnd | undefined {
  const attemptId = attemptOf(uuid)
  if (attemptId === undefined) return undefined
  const ids = { attemptId, providerId: uuid }
  const error = printable(text)
  // A call that succeeded carried a page: without one, they were not counted.
  const confirmed = pages > 0 ? { pagesConfirmed: pages } : {}
  if (success) return { ...ids, state: 'delivered', ...confirmed, word: error || 'OK' }
  const failure = judgeBrokenCall({ error, pages, hasBegun: hasBegunPage(resolution), hasIdentified: station !== '' })
  return { ...ids, state: 'failed', ...failure, pagesConfirmed: pages, word: error || 'FAILED' }
}

/** A count as FreeSWITCH writes it; 0 for anything else. */
export const countOf = (text: string | undefined): number => Number(/^\d{1,5}$/.exec(text ?? '')?.[0] ?? 0)
