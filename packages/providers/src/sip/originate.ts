import { type CallTuning, type OutgoingFax, ProviderProblem, type ProviderSettings } from '@faxdeck/provider-kit'
import { providerIdOf } from './call-result.ts'

const numberShape = /^\+?\d{3,15}$/

/** Options of the application SendFAX: F audio only, f audio when T.38 fails, z we ask for T.38. */
const sendOptions: Readonly<Record<string, string>> = { auto: 'f', request: 'fz', off: 'F' }

/** The modems that keep a call to a speed: the fax engine does not keep to a highest speed by itself. */
const modems: Readonly<Record<number, string>> = { 9600: 'v29\\,v27', 4800: 'v27' }

/** What of a call can be changed. */
export const sipTuning = ({ sip_ecm: ecm, sip_t38: t38 }: ProviderSettings): CallTuning => ({
  speeds: [14_400, 9600, 4800],
  ecm: ecm !== false,
  mayUseT38: t38 !== 'off',
})

/** The options that a call is made with. */
function optionsOf({ call = {} }: Pick<OutgoingFax, 'call'>, settings: ProviderSettings): Record<string, string> {
  const asked = { audio: 'F', t38: 'fz' } as const
  const set = sendOptions[String(settings.sip_t38 ?? '')] ?? 'f'
  const known = call.speed === undefined ? undefined : modems[call.speed]
  return {
    FAXDECK_OPTIONS: call.transport ? asked[call.transport] : set,
    FAXDECK_ECM: (call.ecm ?? settings.sip_ecm !== false) ? 'yes' : 'no',
    ...(known === undefined ? {} : { FAXDECK_SPEED: String(call.speed), FAXDECK_MODEMS: known }),
  }
}

interface Paths {
  pages: string
  result: string
}

/**
 * The headers of the Originate that dials and then runs the shipped dialplan. The engine is
 * given no header line of its own: the pages carry ours.
 * @throws {ProviderProblem} `bad_number`
 */
export function originateHeaders(
  fax: Pick<OutgoingFax, 'attemptId' | 'to' | 'call'>,
  settings: ProviderSettings,
  { pages, result }: Paths,
): [name: string, value: string][] {
  if (!numberShape.test(fax.to)) throw new ProviderProblem('bad_number', 'The number cannot be dialled.')
  const text = (key: string) => String(settings[key] ?? '')
  const channel = text('sip_dial_string').replace('{number}', fax.to).replace('{digits}', fax.to.replace('+', ''))
  const station = text('fax_station_id')
  const variables: Record<string, string> = {
    FAXDECK_ATTEMPT: fax.attemptId,
    FAXDECK_FILE: pages,
    FAXDECK_RESULT: result,
    ...optionsOf(fax, settings),
    ...(station ? { FAXDECK_STATION: station } : {}),
  }
  return [
    ['Channel', channel],
    ['ChannelId', providerIdOf(fax.attemptId)],
    ['Context', 'faxdeck-out'],
    ['Exten', 'send'],
    ['Priority', '1'],
    ['Timeout', String(Number(settings.sip_ring_seconds ?? 60) * 1000)],
    ['Async', 'true'],
    ...(station ? [['CallerID', `<${station}>`] as [string, string]] : []),
    // Set as a variable, the function gives the dialled channel its hangup handler before anything can happen to it.
    ['Variable', 'CHANNEL(hangup_handler_push)=faxdeck-out\\,ended\\,1'],
    ...Object.entries(variables).map(([name, value]): [string, string] => ['Variable', `${name}=${value}`]),
  ]
}
