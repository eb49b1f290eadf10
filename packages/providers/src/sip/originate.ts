import { type OutgoingFax, ProviderProblem, type ProviderSettings } from '@faxdeck/provider-kit'
import { providerIdOf } from './call-result.ts'
import type { CallPaths } from './engine.ts'

const numberShape = /^\+?\d{3,15}$/

/** Options of the application SendFAX: F audio only, f audio when T.38 fails, z we ask for T.38. */
const sendOptions: Readonly<Record<string, string>> = { auto: 'f', request: 'fz', off: 'F' }

/** What differs from call to call and from line to line. */
export interface CallFacts {
  /** The channel to dial, `PJSIP/+15551234567@trunk`. */
  channel: string
  /** Options of SendFAX. */
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
  fax: Pick<OutgoingFax, 'attemptId' | 'to'>,
  settings: ProviderSettings,
  paths: CallPaths,
): [name: string, value: string][] {
  assertDialable(fax.to)
  const text = (key: string) => String(settings[key] ?? '')
  const station = text('fax_station_id') || undefined
  const facts: CallFacts = {
    channel: text('sip_dial_string').replace('{number}', fax.to).replace('{digits}', fax.to.replace('+', '')),
    options: sendOptions[text('sip_t38')] ?? 'f',
    ecm: settings.sip_ecm !== false,
    ringSeconds: Number(settings.sip_ring_seconds ?? 60),
    callerId: station,
    station,
  }
  return callHeaders(fax.attemptId, facts, paths)
}

/** @throws {ProviderProblem} `bad_number` */
export function assertDialable(to: string): void {
  if (!numberShape.test(to)) throw new ProviderProblem('bad_number', 'The number cannot be dialled.')
}

/** The same for any line. The engine is given no header line of its own: the pages carry ours. */
export function callHeaders(attemptId: string, facts: CallFacts, paths: CallPaths): [name: string, value: string][] {
  const { callerId, station } = facts
  const variables: Record<string, string> = {
    FAXDECK_ATTEMPT: attemptId,
    FAXDECK_FILE: paths.pages,
    FAXDECK_RESULT: paths.result,
    FAXDECK_OPTIONS: facts.options,
    FAXDECK_ECM: facts.ecm ? 'yes' : 'no',
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
    // Set as a variable, the function gives the dialled channel its hangup handler before anything can happen to it.
    ['Variable', 'CHANNEL(hangup_handler_push)=faxdeck-out\\,ended\\,1'],
    ...Object.entries(variables).map(([name, value]): [string, string] => ['Variable', `${name}=${value}`]),
  ]
}
