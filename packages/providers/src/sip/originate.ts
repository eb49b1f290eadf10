import {
  type CallOptions,
  type CallTuning,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
} from '@faxdeck/provider-kit'
import { providerIdOf } from './call-result.ts'
import type { CallPaths } from './engine.ts'

const numberShape = /^\+?\d{3,15}$/

/** Options of the application SendFAX: F audio only, f audio when T.38 fails, z we ask for T.38. */
const sendOptions: Readonly<Record<string, string>> = { auto: 'f', request: 'fz', off: 'F' }

/** The modems that keep a call to a speed: the fax engine does not keep to a highest speed by itself. */
const modems: Readonly<Record<number, string>> = { 9600: 'v29\\,v27', 4800: 'v27' }

/** By how many milliseconds audio is delayed, which outlasts the jitter of bad networks. */
const bufferMs = '120'

/** What of a call can be changed. */
export const sipTuning = ({ sip_ecm: ecm, sip_t38: t38 }: ProviderSettings): CallTuning => ({
  speeds: [14_400, 9600, 4800],
  ecm: ecm !== false,
  transports: t38 === 'off' ? ['audio'] : ['audio', 't38'],
  hasBuffer: true,
})

/** What differs from call to call and from line to line. */
export interface CallFacts {
  /** The channel to dial, `PJSIP/+15551234567@trunk`. */
  channel: string
  /** Options of SendFAX, unless the call is asked for otherwise. */
  options: string
  ecm: boolean
  ringSeconds: number
  callerId: string | undefined
  /** What we call ourselves to the other machine. */
  station: string | undefined
  /** Further channel variables. */
  variables?: Readonly<Record<string, string>>
}

/**
 * The headers of the Originate that dials and then runs the shipped dialplan, for an Asterisk of somebody's own.
 * @throws {ProviderProblem} `bad_number`
 */
export function originateHeaders(
  fax: Pick<OutgoingFax, 'attemptId' | 'to' | 'from' | 'call'>,
  settings: ProviderSettings,
  paths: CallPaths,
): [name: string, value: string][] {
  assertDialable(fax.to)
  const text = (key: string) => String(settings[key] ?? '')
  const station = fax.from ?? (text('fax_station_id') || undefined)
  const facts: CallFacts = {
    channel: text('sip_dial_string').replace('{number}', fax.to).replace('{digits}', fax.to.replace('+', '')),
    options: sendOptions[text('sip_t38')] ?? 'f',
    ecm: settings.sip_ecm !== false,
    ringSeconds: Number(settings.sip_ring_seconds ?? 60),
    callerId: station,
    station,
  }
  return callHeaders(fax, facts, paths)
}

/** @throws {ProviderProblem} `bad_number` */
export function assertDialable(to: string): void {
  if (!numberShape.test(to)) throw new ProviderProblem('bad_number', 'The number cannot be dialed.')
}

/** How one call is to be made: as it is asked for, else as the line has it. */
function optionsOf(call: CallOptions, facts: CallFacts): Record<string, string> {
  const asked = { audio: 'F', t38: 'fz' } as const
  const known = call.speed === undefined ? undefined : modems[call.speed]
  return {
    FAXDECK_OPTIONS: call.transport ? asked[call.transport] : facts.options,
    FAXDECK_ECM: (call.ecm ?? facts.ecm) ? 'yes' : 'no',
    ...(call.buffered ? { FAXDECK_BUFFER: bufferMs } : {}),
    ...(known === undefined ? {} : { FAXDECK_SPEED: String(call.speed), FAXDECK_MODEMS: known }),
  }
}

/** The same for any line. The engine is given no header line of its own: the pages carry ours. */
export function callHeaders(
  { attemptId, call = {} }: Pick<OutgoingFax, 'attemptId' | 'call'>,
  facts: CallFacts,
  paths: CallPaths,
): [name: string, value: string][] {
  const { callerId, station } = facts
  const variables: Record<string, string> = {
    FAXDECK_ATTEMPT: attemptId,
    FAXDECK_FILE: paths.pages,
    FAXDECK_RESULT: paths.result,
    // Where a carrier sends a call elsewhere (302), Asterisk would call that number in the context that receives faxes. There is
    // no such context, so the call ends.
    FORWARD_CONTEXT: 'faxdeck-redirected',
    ...optionsOf(call, facts),
    ...(station ? { FAXDECK_STATION: station } : {}),
    ...facts.variables,
  }
  return [
    ['Channel', facts.channel],
    ['ChannelId', providerIdOf(attemptId)],
    ['Context', 'faxdeck-out'],
    ['Exten', 'send'],
    ['Priority', '1'],
    ['Timeout', String(facts.ringSeconds * 1000)],
    ['Async', 'true'],
    ...(callerId ? [['CallerID', `<${callerId}>`] as [string, string]] : []),
    // Set as a variable, the function gives the dialed channel its hangup handler before anything can happen to it.
    ['Variable', 'CHANNEL(hangup_handler_push)=faxdeck-out\\,ended\\,1'],
    ...Object.entries(variables).map(([name, value]): [string, string] => ['Variable', `${name}=${value}`]),
  ]
}
