import type { ProviderSettings } from '@faxdeck/provider-kit'
import { listItems } from '@faxdeck/settings'
import { callerIdFor, readCallerIds } from './caller-ids.ts'
import { readMoreTrunks, type Trunk } from './more-trunks.ts'
import { readNumbers } from './numbers.ts'

/** Everything about the line that its settings say. */
export interface LinePlan {
  /** In the order in which they are tried. */
  trunks: readonly Trunk[]
  t38: 'auto' | 'request' | 'only' | 'off'
  ecm: boolean
  /** The fastest of a modem: 14,400, 9,600 or 4,800. */
  speed: number
  redundancy: 'redundancy' | 'fec' | 'none'
  codecs: readonly string[]
  ringSeconds: number
  answerSeconds: number
  quietHours: string | null
  dial: DialRules
  /** The number that a destination sees through a trunk. */
  callerIdFor: (to: string, trunk: Trunk) => string | undefined
  identity: 'from' | 'account'
  transport: 'udp' | 'tcp' | 'tls'
  srtp: boolean
  /** Path of the authorities that TLS trusts in place of the public ones. */
  authority: string | null
  bind: string
  sipPort: number
  externalAddress: string | null
  localNetworks: readonly string[]
  /** UDP, both included. */
  mediaPorts: readonly [first: number, last: number]
}

/** The fastest of the modems V.17, V.29 and V.27ter. The fax engine is held to a speed by the modems it may use. */
const modemSpeeds = [14_400, 9600]
const slowest = 4800

/** How a number in E.164 form is dialed. */
export interface DialRules {
  outside: string
  international: string
  /** With it, numbers of this country go out as `national` and the rest. */
  country: string | null
  national: string
}

/** The number as the carrier wants it. */
export function dialed(to: string, { outside, international, country, national }: DialRules): string {
  const digits = to.replace(/^\+/, '')
  const isOwn = country !== null && digits.startsWith(country)
  return outside + (isOwn ? national + digits.slice(country.length) : international + digits)
}

/** Every number that rings on the line, once. */
export const numbersOf = ({ trunks }: Pick<LinePlan, 'trunks'>) => [
  ...new Map(trunks.flatMap(({ numbers }) => numbers.map((own) => [own.number, own] as const))).values(),
]

/** A call holds an RTP and an RTCP port, and a UDPTL port that neither of the two may share. */
export const portsPerCall = 4

/** Calls at once that trunks and media ports allow. */
export function channelsOf({ trunks, mediaPorts: [first, last] }: Pick<LinePlan, 'trunks' | 'mediaPorts'>): number {
  const channels = trunks.reduce((sum, trunk) => sum + trunk.channels, 0)
  return Math.max(1, Math.min(channels, Math.floor((last - first + 1) / portsPerCall)))
}

/** Reads the settings, which were checked as they were saved. */
export function planOf(settings: ProviderSettings): LinePlan {
  const text = (key: string) => (typeof settings[key] === 'string' && settings[key] !== '' ? settings[key] : null)
  const number = (key: string) => Number(settings[key])
  const main: Trunk = {
    name: 'main',
    host: text('trunk_host') ?? '',
    user: text('trunk_user'),
    password: text('trunk_password'),
    numbers: readNumbers(text('trunk_numbers')),
    prefixes: [],
    channels: number('trunk_channels'),
    signIn: settings.trunk_sign_in === 'ip' ? 'ip' : 'register',
    match: listItems(text('trunk_match')),
  }
  const rules = readCallerIds(text('trunk_caller_ids'))
  return {
    trunks: [main, ...readMoreTrunks(text('trunk_more'), text('trunk_more_passwords'))],
    t38: settings.trunk_t38 as LinePlan['t38'],
    ecm: settings.trunk_ecm !== false,
    speed: modemSpeeds.find((speed) => speed <= number('trunk_speed')) ?? slowest,
    redundancy: settings.trunk_redundancy as LinePlan['redundancy'],
    codecs: (text('trunk_codecs') ?? 'ulaw,alaw').split(','),
    ringSeconds: number('trunk_ring_seconds'),
    answerSeconds: number('trunk_answer_seconds'),
    quietHours: text('trunk_quiet_hours'),
    dial: {
      outside: text('trunk_dial_prefix') ?? '',
      international: (text('trunk_international_prefix') ?? '+').replace('none', ''),
      country: text('trunk_country_code'),
      national: text('trunk_national_prefix') ?? '',
    },
    callerIdFor: (to, trunk) => {
      const usual = trunk.numbers[0]?.number ?? main.numbers[0]?.number
      return usual === undefined ? undefined : callerIdFor(to, rules, usual)
    },
    identity: settings.trunk_identity === 'account' ? 'account' : 'from',
    transport: settings.trunk_transport as LinePlan['transport'],
    srtp: settings.trunk_srtp === true,
    authority: text('trunk_ca'),
    bind: text('trunk_bind') ?? '0.0.0.0',
    sipPort: number('trunk_sip_port'),
    externalAddress: text('trunk_external_address'),
    localNetworks: listItems(text('trunk_local_networks')),
    mediaPorts: [number('trunk_media_first'), number('trunk_media_last')],
  }
}
