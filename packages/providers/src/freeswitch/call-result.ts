import {
  type CallEnd,
  type CallFailure,
  failureOfUnanswered,
  hasBegunPage,
  judgeBrokenCall,
  printable,
} from '@faxdeck/provider-kit'
import { attemptOf } from './originate.ts'

/** Words of FreeSWITCH for Q.850 causes, as far as they report more than "it did not work". */
const causes: Readonly<Record<string, number>> = {
  UNALLOCATED_NUMBER: 1,
  NO_ROUTE_DESTINATION: 3,
  USER_BUSY: 17,
  NO_USER_RESPONSE: 18,
  NO_ANSWER: 19,
  ALLOTTED_TIMEOUT: 19,
  ORIGINATOR_CANCEL: 19,
  SUBSCRIBER_ABSENT: 20,
  CALL_REJECTED: 21,
  NUMBER_CHANGED: 22,
  DESTINATION_OUT_OF_ORDER: 27,
  INVALID_NUMBER_FORMAT: 28,
  NORMAL_CIRCUIT_CONGESTION: 34,
  NETWORK_OUT_OF_ORDER: 38,
  NORMAL_TEMPORARY_FAILURE: 41,
  SWITCH_CONGESTION: 42,
  BEARERCAPABILITY_NOTAVAIL: 58,
  INCOMPATIBLE_DESTINATION: 88,
  RECOVERY_ON_TIMER_EXPIRE: 102,
}
const ofGateway: Readonly<Record<string, CallFailure>> = {
  INVALID_GATEWAY: { kind: 'unreachable', sentence: 'FreeSWITCH knows no gateway of that name.' },
  GATEWAY_DOWN: { kind: 'unreachable', sentence: 'The gateway of FreeSWITCH is down.' },
}

/** The end of a call that nobody took. @param cause FreeSWITCH's word for it @param sip the answer of the trunk */
export function unansweredEnd(uuid: string, cause: string, sip?: string): CallEnd | undefined {
  const attemptId = attemptOf(uuid)
  if (attemptId === undefined) return undefined
  const word = /^[A-Z0-9_]{1,60}$/.test(cause) ? cause : 'NORMAL_UNSPECIFIED'
  const known = { cause: causes[word] ?? 0, ...(sip === undefined ? {} : { sip }) }
  const failure = ofGateway[word] ?? failureOfUnanswered(known)
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
