import { join } from 'node:path'
import { shippedFile } from '../../sip/shipped-file.ts'
import { type LinePlan, portsPerCall } from '../plan.ts'
import { confSection, head } from './conf-file.ts'

/** Where the parts of an Asterisk lie, and where this one may write. */
export interface EnginePlaces {
  /** Everything it writes, but the socket. */
  directory: string
  /** Holds the control socket, whose path may have 107 bytes. */
  run: string
  modules: string
  data: string
}

/** What signs in at the manager interface. Made by us, known to nobody else. */
export interface ManagerAccess {
  port: number
  /** Of the user that dials. */
  password: string
  /** Of the user that supervises. */
  keeperPassword: string
}

export const keeper = 'keeper'

/** Exactly what a fax needs: nothing else is loaded, so nothing else can be reached. */
const modules = [
  'res_sorcery_config res_sorcery_memory res_sorcery_astdb res_timing_timerfd res_pjproject res_pjsip res_pjsip_pubsub',
  'res_pjsip_session res_pjsip_sdp_rtp res_pjsip_t38 res_pjsip_caller_id res_pjsip_endpoint_identifier_ip res_pjsip_nat',
  'res_pjsip_authenticator_digest res_pjsip_outbound_authenticator_digest res_pjsip_outbound_registration',
  'res_pjsip_rfc3326 res_pjsip_header_funcs res_rtp_asterisk res_http_websocket chan_pjsip codec_ulaw codec_alaw',
  'bridge_simple res_fax res_fax_spandsp pbx_config app_stack app_userevent func_callerid func_channel func_cut',
  'func_dialplan func_env func_global func_groupcount func_hangupcause func_logic func_pjsip_aor func_pjsip_contact',
  'func_jitterbuffer func_pjsip_endpoint func_strings func_timeout func_uri',
].flatMap((line) => line.split(' '))

export const neededModules = (plan?: Pick<LinePlan, 'srtp'>): string[] =>
  plan?.srtp === true ? [...modules, 'res_srtp'] : modules

const directoryNames = {
  astetcdir: 'etc',
  astvarlibdir: 'lib',
  astdbdir: 'lib',
  astkeydir: 'lib',
  astagidir: 'agi',
  astcachedir: 'cache',
  astspooldir: 'spool',
  astlogdir: 'log',
}

export const engineFolders = [...new Set(Object.values(directoryNames)), 'spool/tmp']

function asteriskConf({ directory, run, modules: folder, data }: EnginePlaces): string {
  const own = Object.entries(directoryNames).map(([name, part]) => [name, join(directory, part)] as const)
  const directories = [...own, ['astrundir', run], ['astmoddir', folder], ['astdatadir', data]] as const
  return (
    head('Where this Asterisk reads and writes. Nothing of another Asterisk on this machine is touched.') +
    // The names of directories come with the arrow that Asterisk wants there.
    `[directories]\n${directories.map(([name, path]) => `${name} => ${path}`).join('\n')}\n\n` +
    confSection('options', [
      ['nocolor', 'yes'],
      ['hideconnect', 'yes'],
      ['live_dangerously', 'no'],
    ])
  )
}

/** The shipped manager user, who may dial and no more, and one who supervises. Both only from this machine. */
function managerConf({ port, password, keeperPassword }: ManagerAccess): string {
  const shipped = shippedFile('ami.conf')
    .replace(/^port = .*$/m, `port = ${port}`)
    .replace(/^secret = .*$/m, `secret = ${password}`)
  const supervising = confSection(keeper, [
    'Manages this Asterisk: trunk status, new settings and shutdown.',
    ['secret', keeperPassword],
    ['deny', '0.0.0.0/0.0.0.0'],
    ['permit', '127.0.0.1/255.255.255.255'],
    ['read', 'reporting'],
    ['write', 'command,reporting,system'],
  ])
  return `${shipped}\n${supervising}`
}

/** Two thirds of the ports for RTP, whose calls need two, and the rest for UDPTL. */
export function splitPorts([first, last]: LinePlan['mediaPorts']): {
  rtp: readonly [number, number]
  udptl: readonly [number, number]
} {
  const begin = first + (first % 2)
  const calls = Math.max(1, Math.floor((last - begin + 1) / portsPerCall))
  const rtpEnd = begin + 2 * calls + (calls > 1 ? 2 * Math.floor(calls / 3) : 0) - 1
  return { rtp: [begin, rtpEnd], udptl: [rtpEnd + 1, Math.max(rtpEnd + 1, last)] }
}

/** By the top speed: with a faster modem the fax engine sends and receives faster, whatever `maxrate` says. */
const modemsUpTo: Readonly<Record<number, string>> = { 14_400: 'v17,v27,v29', 9600: 'v27,v29', 4800: 'v27' }

/** Files of whose kind Asterisk complains when they are missing, and that hold nothing here. */
const empty = ['ccss', 'cdr', 'cel', 'features', 'indications', 'pjproject', 'stasis']

/** Everything but trunks and dialplan, by file name. */
export function engineConfs(plan: LinePlan, places: EnginePlaces, access: ManagerAccess): Record<string, string> {
  const { rtp, udptl } = splitPorts(plan.mediaPorts)
  const loads = neededModules(plan).map((name) => `load = ${name}.so`)
  return {
    'asterisk.conf': asteriskConf(places),
    'modules.conf': `${head('What is loaded: no more than a fax needs.')}[modules]\nautoload = no\n${loads.join('\n')}\n`,
    'logger.conf': `${head('What is logged.')}${confSection('general', [['rotatestrategy', 'rotate']])}\n${confSection('logfiles', ['Notices are left out: whoever knocks at an open port would fill the disk.', ['messages', 'warning,error']])}`,
    'manager.conf': managerConf(access),
    'rtp.conf': `${head('UDP ports of audio.')}${confSection('general', [
      ['rtpstart', rtp[0]],
      ['rtpend', rtp[1]],
      ['strictrtp', 'yes'],
      ['icesupport', 'no'],
    ])}`,
    'udptl.conf': `${head('UDP ports of T.38.')}${confSection('general', [
      ['udptlstart', udptl[0]],
      ['udptlend', udptl[1]],
      'How many packets each one repeats.',
      ['udptlfecentries', 3],
      ['udptlfecspan', 3],
      ['use_even_ports', 'no'],
    ])}`,
    'res_fax.conf': `${head('The fax modem.')}${confSection('general', [
      ['minrate', 2400],
      ['maxrate', plan.speed],
      ['modems', modemsUpTo[plan.speed] ?? 'v27'],
      ['ecm', plan.ecm ? 'yes' : 'no'],
    ])}`,
    'acl.conf': '; No rules by name.\n',
    ...Object.fromEntries(empty.map((name) => [`${name}.conf`, '[general]\n'])),
  }
}
