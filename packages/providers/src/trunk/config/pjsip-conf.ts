import { type LinePlan, numbersOf } from '../plan.ts'
import type { Trunk } from '../more-trunks.ts'
import { type ConfLine, confSection, head } from './conf-file.ts'

/** A carrier that takes longer to answer OPTIONS counts as away. */
export const qualifySeconds = 3

/** The user part of a SIP URI (RFC 3261, section 25.1): what is not allowed there is percent-encoded. */
export const uriUser = (user: string) => encodeURIComponent(user).replaceAll('%2B', '+')

/** An IPv6 address stands in brackets. */
const uriHost = (host: string) => (/^[\da-f:]+:[\da-f:]*:/i.test(host) ? `[${host}]` : host)

export const hostName = (host: string) => (uriHost(host) === host ? host.replace(/:\d{1,5}$/, '') : host)

/** The server of a trunk, as a request line names it. */
export const serverUri = (host: string, transport: LinePlan['transport']): string =>
  `sip:${uriHost(host)}${transport === 'udp' ? '' : `;transport=${transport}`}`

/**
 * Where SIP is received and sent from: the part of the trunks that Asterisk takes in at its start only.
 * @param authorities path of the certificates that TLS trusts, where one is known
 */
export function transportConf(plan: LinePlan, authorities?: string): string {
  const { transport: protocol, bind, sipPort, externalAddress, localNetworks } = plan
  const external: ConfLine[] =
    externalAddress === null
      ? []
      : [
          'Behind a router: the address shown to the carrier instead of our own.',
          ['external_signaling_address', externalAddress],
          ['external_media_address', externalAddress],
          ...localNetworks.map((network) => ['local_net', network] as const),
        ]
  const tls: ConfLine[] =
    protocol === 'tls'
      ? [
          ['method', 'tlsv1_2'],
          ['verify_server', 'yes'],
          ['ca_list_file', authorities ?? null],
        ]
      : []
  return (
    head('Where SIP listens.') +
    confSection('transport', [
      ['type', 'transport'],
      ['protocol', protocol],
      ['bind', `${uriHost(bind)}:${sipPort}`],
      ...external,
      ...tls,
    ])
  )
}

function endpoint(plan: LinePlan, trunk: Trunk): string {
  const { name, user, host, password } = trunk
  // Without a number to show, the carrier shows that of the account.
  const namesItsAccount = plan.identity === 'account' || numbersOf(plan).length === 0
  const t38: ConfLine[] =
    plan.t38 === 'off'
      ? [['t38_udptl', 'no']]
      : [
          ['t38_udptl', 'yes'],
          ['t38_udptl_ec', plan.redundancy],
          ['t38_udptl_nat', 'yes'],
          ['t38_udptl_maxdatagram', 400],
          ['t38_bind_udptl_to_media_address', isOneAddress(plan.bind) ? 'yes' : null],
        ]
  return confSection(name, [
    ['type', 'endpoint'],
    ['transport', 'transport'],
    ['context', `from-${name}`],
    ['aors', name],
    ['outbound_auth', password === null ? null : `${name}-auth`],
    'How calls name themselves to the carrier.',
    ['from_user', namesItsAccount && user !== null ? uriUser(user) : null],
    ['from_domain', hostName(host)],
    ['send_pai', plan.identity === 'account' ? 'yes' : null],
    ['trust_id_inbound', 'yes'],
    ['trust_id_outbound', 'yes'],
    'Only G.711 carries a fax.',
    ['disallow', 'all'],
    ['allow', plan.codecs.join(',')],
    ['direct_media', 'no'],
    ['rtp_symmetric', 'yes'],
    ['force_rport', 'yes'],
    ['rewrite_contact', 'yes'],
    ['media_address', isOneAddress(plan.bind) ? plan.bind : null],
    ['bind_rtp_to_media_address', isOneAddress(plan.bind) ? 'yes' : null],
    ['media_encryption', plan.srtp && plan.transport === 'tls' ? 'sdes' : null],
    ...t38,
  ])
}

const isOneAddress = (bind: string) => bind !== '0.0.0.0' && bind !== '::'

function trunkSections(plan: LinePlan, trunk: Trunk): string[] {
  const { name, host, user, password, signIn, match } = trunk
  const server = serverUri(host, plan.transport)
  const registration: ConfLine[] = [
    ['type', 'registration'],
    ['transport', 'transport'],
    ['outbound_auth', password === null ? null : `${name}-auth`],
    ['server_uri', server],
    ['client_uri', `sip:${uriUser(user ?? '')}@${hostName(host)}`],
    ['contact_user', uriUser(user ?? '')],
    ['expiration', 120],
    ['max_random_initial_delay', 0],
    ['retry_interval', 20],
    ['forbidden_retry_interval', 60],
    ['fatal_retry_interval', 60],
    ['max_retries', 1_000_000],
    ['auth_rejection_permanent', 'no'],
    'Calls that come back by this registration belong to the trunk, whatever address they come from.',
    ['line', 'yes'],
    ['endpoint', name],
  ]
  return [
    ...(password === null
      ? []
      : [
          confSection(`${name}-auth`, [
            ['type', 'auth'],
            ['auth_type', 'userpass'],
            ['username', user ?? ''],
            ['password', password],
          ]),
        ]),
    confSection(name, [
      ['type', 'aor'],
      ['contact', server],
      'OPTIONS twice a minute: whether the carrier answers, and how fast.',
      ['qualify_frequency', 30],
      ['qualify_timeout', qualifySeconds],
    ]),
    endpoint(plan, trunk),
    confSection(`${name}-from`, [
      ['type', 'identify'],
      ['endpoint', name],
      'Calls from these addresses are calls of the carrier. All others are refused.',
      ['match', [hostName(host), ...match].join(',')],
    ]),
    ...(signIn === 'register' && user !== null ? [confSection(`${name}-registration`, registration)] : []),
  ]
}

/** The trunks, as res_pjsip reads them. */
export function pjsipConf(plan: LinePlan): string {
  const system = confSection('system', [['type', 'system']])
  const global = confSection('global', [
    ['type', 'global'],
    'Only the carriers below are known here, and no caller is asked to authenticate.',
    ['endpoint_identifier_order', 'ip'],
    ['user_agent', 'Faxdeck'],
    ['keep_alive_interval', 30],
  ])
  const trunks = plan.trunks.flatMap((trunk) => trunkSections(plan, trunk))
  return `${head('The trunks of Faxdeck.')}#include "pjsip-transport.conf"\n\n${[system, global, ...trunks].join('\n')}`
}
