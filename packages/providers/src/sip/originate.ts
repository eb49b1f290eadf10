import { type OutgoingFax, ProviderProblem, type ProviderSettings } from '@faxdeck/provider-kit'
import { providerIdOf } from './call-result.ts'

const numberShape = /^\+?\d{3,15}$/

/** Options of the application SendFAX: F audio only, f audio when T.38 fails, z we ask for T.38. */
const sendOptions: Readonly<Record<string, string>> = { auto: 'f', request: 'fz', off: 'F' }

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
  fax: Pick<OutgoingFax, 'attemptId' | 'to'>,
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
    FAXDECK_OPTIONS: sendOptions[text('sip_t38')] ?? 'f',
    FAXDECK_ECM: settings.sip_ecm === false ? 'no' : 'yes',
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
