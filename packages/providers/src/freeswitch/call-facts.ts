import { type CallLog, type CallRecord, hasBegunPage } from '@faxdeck/provider-kit'
import { countOf } from './call-result.ts'
import type { EslMessage } from './esl-frames.ts'

type Headers = EslMessage['headers']

/** Phase B has ended, or a page was confirmed (phase D): by direction, as mod_spandsp names its events. */
const phases = {
  'spandsp::txfaxnegociateresult': { step: 'agreed', direction: 'sent' },
  'spandsp::txfaxpageresult': { step: 'page', direction: 'sent' },
  'spandsp::rxfaxnegociateresult': { step: 'agreed', direction: 'received' },
  'spandsp::rxfaxpageresult': { step: 'page', direction: 'received' },
} as const
type Phase = (typeof phases)[keyof typeof phases]

/** The events to subscribe to, for calls that are up. */
export const phaseEvents = Object.keys(phases).join(' ')

const count = (text: string | undefined): number | undefined =>
  text && /^\d{1,8}$/.test(text) ? Number(text) : undefined

/** A value of the fax engine: an event has it as a variable of the call, and its own events by themselves too. */
const faxValue = (headers: Headers, name: string) =>
  headers.get(`fax-${name}`) ?? headers.get(`variable_fax_${name.replaceAll('-', '_')}`)

/** The speed that both machines agreed on; undefined before that. */
function speedOf(headers: Headers): number | undefined {
  const isAgreed = hasBegunPage(faxValue(headers, 'image-resolution') ?? '0x0') || isNegotiation(headers)
  return isAgreed ? count(faxValue(headers, 'transfer-rate')) || undefined : undefined
}

const isNegotiation = (headers: Headers) => /negociateresult$/.test(headers.get('event-subclass') ?? '')

function faxFacts(headers: Headers, received: boolean): CallRecord {
  const [ecm, t38] = [faxValue(headers, 'ecm-used'), faxValue(headers, 't38-status')]
  const bps = speedOf(headers)
  const bad = count(faxValue(headers, 'bad-rows'))
  const station = faxValue(headers, 'remote-station-id')
  const isAgreed = bps !== undefined
  return {
    ...(isAgreed && (ecm === 'on' || ecm === 'off') ? { ecm: ecm === 'on' } : {}),
    ...(t38 === 'negotiated' ? { transport: 't38' } : isAgreed && t38 !== undefined ? { transport: 'audio' } : {}),
    ...(bps === undefined ? {} : { speeds: [{ bps }] }),
    ...(received && isAgreed && bad !== undefined ? { bad_rows: bad } : {}),
    ...(station ? { station } : {}),
  }
}

const wasAnswered = (headers: Headers) => !['', '0'].includes(headers.get('variable_answer_epoch') ?? '')

/** What SIP answered. A call that was answered may have had an offer of T.38 refused, which ends nothing. */
function sipOf(headers: Headers): string | undefined {
  const term = headers.get('variable_sip_term_status')
  if (wasAnswered(headers)) return term === '200' ? '200 OK' : undefined
  const status = headers.get('variable_sip_invite_failure_status') ?? term
  if (!status || !/^\d{3}$/.test(status)) return undefined
  return `${status} ${headers.get('variable_sip_invite_failure_phrase') ?? ''}`.trim()
}

const normalClearing = 16

/** Why the call ended. After a delivery it is how the switch cleared away, which may look like a fault. */
function causeOf(headers: Headers): number | undefined {
  const cause = count(headers.get('variable_hangup_cause_q850'))
  return faxValue(headers, 'success') === '1' && cause !== normalClearing ? undefined : cause
}

/** What a call did, by the variables it had when an event about it was made. @param received it came in */
export function recordOf(headers: Headers, received = false): CallRecord {
  const cause = causeOf(headers)
  const codec = headers.get('variable_rtp_use_codec_name')
  const sip = sipOf(headers)
  const pages = faxValue(headers, 'document-transferred-pages')
  return {
    ...faxFacts(headers, received),
    ...(codec ? { codec } : {}),
    ...(pages === undefined ? {} : { pages: countOf(pages) }),
    ...(cause ? { cause } : {}),
    ...(sip === undefined ? {} : { sip }),
  }
}

function notePhase(headers: Headers, phase: Phase, calls: CallLog, id: string): void {
  const numbers = {
    from: headers.get('caller-caller-id-number') ?? '',
    to: headers.get('caller-destination-number') ?? '',
  }
  const pages = countOf(faxValue(headers, 'document-transferred-pages'))
  const { speeds, ...facts } = recordOf(headers, phase.direction === 'received')
  calls.note(id, facts, phase.direction, phase.direction === 'received' ? numbers : {})
  calls.step(id, 'agreed')
  const [speed] = speeds ?? []
  if (speed) calls.speed(id, speed.bps, phase.step === 'page' ? Math.max(0, pages - 1) : pages)
  if (phase.step === 'page' && pages > 0) calls.step(id, 'page', pages)
}

/**
 * Notes what an event reports about a call while it is up.
 * @param id our attempt, or the UUID of a received call; undefined for those of others
 * @returns whether that was all it said
 */
export function noteProgress(headers: Headers, calls: CallLog, id: string | undefined): boolean {
  if (headers.get('event-name') === 'CHANNEL_ANSWER') {
    if (id !== undefined) calls.step(id, 'answered')
    return true
  }
  const subclass = headers.get('event-subclass') ?? ''
  if (!Object.hasOwn(phases, subclass)) return false
  if (id !== undefined) notePhase(headers, phases[subclass as keyof typeof phases], calls, id)
  return true
}
