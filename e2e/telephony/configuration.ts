import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AsteriskProgram } from './install.ts'

export interface Exchange {
  /** Everything this Asterisk writes. */
  directory: string
  amiPort: number
  sipPort: number
  /** A hundred ports each for RTP and UDPTL, from here on. */
  mediaPort: number
  password: string
  /** The values that the shipped dialplan needs of the gateway. */
  gateway: { folder: string; url: string; secret: string }
}

const page = new URL('../../packages/providers/src/sip/', import.meta.url)
const readme = readFileSync(new URL('README.md', page), 'utf8')
const shipped = (name: string) => readFileSync(new URL(`asterisk/${name}`, page), 'utf8')

/** What the page for operators says word for word; it is followed here as it stands. @throws {Error} when it says nothing of the kind */
function asWritten(what: RegExp): string {
  const [said, text = said] = what.exec(readme) ?? []
  if (text === undefined) throw new Error(`The README of Asterisk no longer says ${String(what)}.`)
  return text
}

/** Exactly what is needed, so that it starts in a second and opens no port that is not named here. */
const modules = [
  'res_sorcery_config res_sorcery_memory res_sorcery_astdb res_timing_timerfd res_pjproject res_pjsip res_pjsip_pubsub',
  'res_pjsip_session res_pjsip_sdp_rtp res_pjsip_t38 res_pjsip_caller_id res_pjsip_endpoint_identifier_ip',
  'res_pjsip_authenticator_digest res_pjsip_outbound_authenticator_digest res_pjsip_rfc3326 res_rtp_asterisk',
  'res_http_websocket chan_pjsip codec_ulaw codec_alaw bridge_simple res_fax res_fax_spandsp pbx_config app_stack',
  'app_userevent res_curl func_curl func_callerid func_channel func_dialplan func_env func_global func_logic',
  'func_hangupcause func_jitterbuffer func_pjsip_endpoint func_strings func_uri',
].flatMap((line) => line.split(' '))

/** Numbers behind the trunk that misbehave; every other is a fax machine that runs the shipped dialplan. */
const farEnd = `
[from-trunk]
exten => +15555550100,1,Hangup(17)
exten => +15555550101,1,Ringing()
 same => n,Wait(60)
exten => +15555550102,1,Hangup(1)
exten => +15555550103,1,Answer()
 same => n,Wait(4)
 same => n,Hangup()
exten => +15555550104,1,Set(FAXOPT(maxrate)=9600)
 same => n,Set(FAXOPT(modem)=v29,v27)
 same => n,Goto(faxdeck-in,\${EXTEN},1)
${asWritten(/`(exten => [^`]+Goto\(faxdeck-in[^`]+)`/)}
`

/** One trunk that leads back into this very Asterisk, over the loopback interface. */
const trunk = ({ sipPort }: Exchange) => `
[system]
type=system
[loopback]
type=transport
protocol=udp
bind=127.0.0.1:${sipPort}
[trunk]
type=endpoint
transport=loopback
context=from-trunk
${asWritten(/`(allow=!all[^`]*)`/)}
${asWritten(/`(direct_media=no)`/)}
${asWritten(/`(t38_udptl=yes)`/)}
${asWritten(/`(t38_udptl_ec=redundancy)`/)}
aors=trunk
media_address=127.0.0.1
bind_rtp_to_media_address=yes
trust_id_inbound=yes
t38_bind_udptl_to_media_address=yes
[trunk]
type=aor
contact=sip:127.0.0.1:${sipPort}
[trunk]
type=identify
endpoint=trunk
match=127.0.0.1
`

/** Writes everything an Asterisk of its own needs; the path of its main file. */
export function configureAsterisk(exchange: Exchange, { modules: folder, data }: AsteriskProgram): string {
  const { directory, amiPort, mediaPort, password, gateway } = exchange
  for (const part of ['etc', 'run', 'log', 'lib', 'cache', 'spool/tmp', 'agi'])
    mkdirSync(join(directory, part), { recursive: true })
  const folders = {
    astetcdir: 'etc',
    astvarlibdir: 'lib',
    astdbdir: 'lib',
    astkeydir: 'lib',
    astagidir: 'agi',
    astcachedir: 'cache',
    astspooldir: 'spool',
    astrundir: 'run',
    astlogdir: 'log',
  }
  const own = Object.entries(folders).map(([name, part]) => `${name} => ${join(directory, part)}`)
  const files: Record<string, string> = {
    'asterisk.conf': `[directories]\n${own.join('\n')}\nastmoddir => ${folder}\nastdatadir => ${data}\n[options]\nnocolor=yes\nhideconnect=yes\nverbose=3\n`,
    'modules.conf': `[modules]\nautoload=no\n${modules.map((name) => `load=${name}.so`).join('\n')}\n`,
    'logger.conf': '[logfiles]\nfull => notice,warning,error,verbose\n',
    'pjsip.conf': trunk(exchange),
    'rtp.conf': `[general]\nrtpstart=${mediaPort}\nrtpend=${mediaPort + 99}\nstrictrtp=no\nicesupport=no\n`,
    'udptl.conf': `[general]\nudptlstart=${mediaPort + 100}\nudptlend=${mediaPort + 199}\nudptlfecentries=3\nudptlfecspan=3\n`,
    'res_fax.conf': '[general]\nminrate=4800\nmaxrate=14400\nmodems=v17,v27,v29\necm=yes\n',
    'extensions.conf': `${asWritten(/`(#include "faxdeck\.conf")`/)}\n${farEnd}`,
    'faxdeck.conf': shipped('faxdeck.conf')
      .replace(/^FAXDECK_DIR=.*$/m, `FAXDECK_DIR=${gateway.folder}`)
      .replace(/^FAXDECK_URL=.*$/m, `FAXDECK_URL=${gateway.url}`)
      .replace(/^FAXDECK_SECRET=.*$/m, `FAXDECK_SECRET=${gateway.secret}`),
    'manager.conf': shipped('ami.conf')
      .replace(/^port = .*$/m, `port = ${amiPort}`)
      .replace(/^secret = .*$/m, `secret = ${password}`),
  }
  for (const name of ['acl', 'ccss', 'cdr', 'cel', 'features', 'indications', 'pjproject', 'stasis'])
    files[`${name}.conf`] = '[general]\n'
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, 'etc', name), text, { mode: 0o600 })
  return join(directory, 'etc/asterisk.conf')
}
