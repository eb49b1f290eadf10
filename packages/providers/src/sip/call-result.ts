import {
  type CallEnd,
  type CallFailure,
  type CallRecord,
  failureOfUnanswered,
  hasBegunPage,
  judgeBrokenCall,
  printable,
} from '@faxdeck/provider-kit'
import { reportedRecord } from './call-facts.ts'

/** What the dialplan reported about the end of a call, or what the manager interface showed of it. */
export interface CallResult {
  attemptId: string
  /** Whether somebody took the call, so that the fax application ran. */
  answered: boolean
  /** Why a call was not answered, as Originate reports it (AST_CONTROL): 3 rang in vain, 5 busy, 0 anything. */
  reason: number
  /** Q.850 cause; 0 when it is not known. */
  cause: number
  /** FAXSTATUS: SUCCESS, FAILED (older builds: FAILURE), or empty. */
  status: string
  pages: number
  /** FAXRESOLUTION; empty also when a dialplan of an older Faxdeck does not report it. */
  resolution: string
  error: string
  /** What the far machine calls itself; empty when no machine said. */
  station: string
  /** What the line was like: `audio 14400`, `T38 14400`. */
  mode: string
  /** What the call did. */
  call: CallRecord
}

/** Of a call that nobody took and of which the dialplan reported nothing. */
export const untoldResult = {
  answered: false,
  status: '',
  pages: 0,
  resolution: '',
  error: '',
  station: '',
  mode: '',
  call: {},
} satisfies Partial<CallResult>

/** Reads what the dialplan wrote; undefined when it is not whole, or something else. */
export function parseResult(text: string): CallResult | undefined {
  const reported = new URLSearchParams(text.trim())
  const attemptId = reported.get('attempt') ?? ''
  if (attemptId === '' || reported.get('end') !== '1') return undefined
  const count = (name: string) => Number(/^\d{1,5}$/.exec(reported.get(name) ?? '')?.[0] ?? 0)
  return {
    attemptId,
    answered: reported.get('answered') === '1',
    reason: 0,
    cause: count('cause'),
    status: reported.get('status') ?? '',
    pages: count('pages'),
    resolution: reported.get('resolution') ?? '',
    error: printable(reported.get('error') ?? ''),
    station: printable(reported.get('station') ?? ''),
    mode: printable(`${reported.get('mode') ?? ''} ${reported.get('rate') ?? ''}`.trim()),
    call: reportedRecord(reported),
  }
}

function unanswered({ cause, reason, call: { sip } }: CallResult): CallFailure {
  // What rang in vain or was busy is known of Originate, where the channel itself has no cause.
  const byReason = reason === 3 ? 19 : reason === 5 ? 17 : 0
  return failureOfUnanswered({ cause: cause || byReason, ...(sip === undefined ? {} : { sip }) })
}

export const providerIdOf = (attemptId: string): string => `faxdeck-${attemptId}`

/** The attempt that one of our channels belongs to; undefined for any other channel. */
export function attemptOf(providerId: string): string | undefined {
  return /^faxdeck-([0-9a-z]{8,64})$/.exec(providerId)?.[1]
}

/** The end of a call in the words of the provider interface. */
export function updateOf(result: CallResult): CallEnd {
  const { attemptId, status, pages, answered, error, resolution, station } = result
  const call = result.cause > 0 ? { ...result.call, cause: result.cause } : result.call
  const ids = { attemptId, providerId: providerIdOf(attemptId), call }
  const word = [status === '' ? 'not answered' : status, result.mode].filter(Boolean).join(' ')
  // A call that succeeded carried a page: without one, they were not counted.
  if (status === 'SUCCESS') return { ...ids, state: 'delivered', ...(pages > 0 ? { pagesConfirmed: pages } : {}), word }
  // SendFAX gives the status its first value before anything else.
  const hasBegun = status !== '' && hasBegunPage(resolution)
  const failure = answered
    ? judgeBrokenCall({ error, pages, hasBegun, hasIdentified: station !== '' })
    : unanswered(result)
  return { ...ids, state: 'failed', ...failure, pagesConfirmed: pages, word }
}
