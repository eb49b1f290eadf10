import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AsteriskProgram } from './install.ts'

/** An account at the carrier, and what it may be told to do. */
export interface CarrierOptions {
  directory: string
  amiPort: number
  sipPort: number
  mediaPort: number
  user: string
  password: string
  /** Where the customer is found in place of its registration, for a trunk by address. */
  customer?: string
  t38?: boolean
  codecs?: string
  /** Telephone networks have one, unless told otherwise. */
  jitterBuffer?: boolean
  /** Signaling over TLS with this certificate, and sound over SRTP. */
  tls?: { cert: string; key: string }
  /** The customer does not trust the certificate. */
  isUnknown?: boolean
}

const modules = [
  'res_sorcery_config res_sorcery_memory res_sorcery_astdb res_timing_timerfd res_pjproject res_pjsip res_pjsip_pubsub',
  'res_pjsip_session res_pjsip_sdp_rtp res_pjsip_t38 res_pjsip_caller_id res_pjsip_endpoint_identifier_user',
  'res_pjsip_endpoint_identifier_ip res_pjsip_nat res_pjsip_authenticator_digest res_pjsip_registrar res_pjsip_rfc3326',
  'res_pjsip_outbound_authenticator_digest res_rtp_asterisk res_http_websocket chan_pjsip codec_ulaw codec_alaw',
  'bridge_simple res_fax res_fax_spandsp pbx_config app_dial app_stack app_userevent func_callerid func_channel',
  'func_dialplan func_env func_global func_jitterbuffer func_logic func_rand func_strings func_timeout func_uri cdr_csv',
].flatMap((line) => line.split(' '))

/** What the carrier answers to numbers that end so; the cause becomes a SIP status in chan_pjsip. */
export const refusals = {
  forbidden: { number: '+15555550403', cause: 21 },
  notFound: { number: '+15555550404', cause: 1 },
  unavailable: { number: '+15555550480', cause: 20 },
  busy: { number: '+15555550486', cause: 17 },
  notAcceptable: { number: '+15555550488', cause: 58 },
  congested: { number: '+15555550503', cause: 34 },
} as const

/** A person answers, and nobody answers. */
export const voiceNumber = '+15555550103'
export const silentNumber = '+15555550101'

const dialplan = ({ directory, user, customer, jitterBuffer = true }: CarrierOptions) => `
[globals]
[customer]
${Object.values(refusals)
  .map(({ number, cause }) => `exten => ${number},1,Hangup(${cause})`)
  .join('\n')}
exten => ${voiceNumber},1,Answer()
 same => n,Wait(4)
 same => n,Hangup()
exten => ${silentNumber},1,Ringing()
 same => n,Wait(60)
; The numbers of the customer lead back to it, as the public network would.
exten => _+1555123XXXX,1,Dial(PJSIP/\${EXTEN}@${customer === undefined ? user : 'customer-by-address'},30)
 same => n,Hangup(\${HANGUPCAUSE})
; Numbers of a day's traffic, by the digits after +15552: busy, congested, not there, a person, and lines that break.
exten => _+155521.,1,Hangup(17)
exten => _+155522.,1,Hangup(34)
exten => _+155523.,1,Hangup(1)
exten => _+155524.,1,Answer()
 same => n,Wait(4)
 same => n,Hangup()
exten => _+155525.,1,Set(TIMEOUT(absolute)=\${RAND(4,35)})
 same => n,Goto(machine,\${EXTEN},1)
; A machine that is slow to answer, so that it asks for T.38 at the moment when Asterisk as the sender does.
exten => _+155526.,1,Answer()
 same => n,Wait(7.2)
 same => n,Goto(machine,\${EXTEN},1)
exten => _[+0-9]!,1,Goto(machine,\${EXTEN},1)
[machine]
exten => _[+0-9]!,1,Set(CALLED=\${FILTER(0-9,\${EXTEN})})
 same => n,Set(CHANNEL(hangup_handler_push)=machine,ended,1)
 same => n,Set(FAXOPT(ecm)=yes)
 same => n,Set(FAXOPT(localstationid)=\${CALLED})
 same => n,Answer()
 same => n,Set(SECURED=\${CHANNEL(pjsip,secure)}\${CHANNEL(rtp,secure)})
${jitterBuffer ? ' same => n,Set(JITTERBUFFER(fixed)=120)\n' : ''} same => n,ReceiveFAX(${directory}/received/\${CALLED}_\${FILTER(0-9,\${CALLERID(num)})}_\${UNIQUEID}.tif,f)
 same => n,Hangup()
exten => ended,1,Set(FILE(${directory}/received/log,,,al,u)=\${CALLED} \${UNIQUEID} \${FAXSTATUS} \${FAXPAGES} \${FAXMODE} \${FAXBITRATE} \${SECURED} \${REMOTESTATIONID})
 same => n,Return()
[send]
exten => send,1,Set(FAXOPT(ecm)=yes)
 same => n,Set(CHANNEL(hangup_handler_push)=send,ended,1)
 same => n,Set(FAXOPT(localstationid)=\${STATION})
${jitterBuffer ? ' same => n,Set(JITTERBUFFER(fixed)=120)\n' : ''} same => n,SendFAX(\${FAX_FILE},f)
 same => n,Hangup()
exten => ended,1,Set(FILE(${directory}/received/sent,,,al,u)=\${STATION} \${FAXSTATUS} \${FAXPAGES})
 same => n,Return()
`

const endpoint = ({ t38 = true, codecs = 'ulaw,alaw', tls }: CarrierOptions) => `
type=endpoint
transport=loopback
context=customer
disallow=all
allow=${codecs}
direct_media=no
trust_id_inbound=yes
rtp_symmetric=yes
force_rport=yes
rewrite_contact=yes
media_address=127.0.0.1
bind_rtp_to_media_address=yes
media_encryption=${tls ? 'sdes' : 'no'}
t38_udptl=${t38 ? 'yes' : 'no'}
t38_udptl_ec=redundancy
t38_bind_udptl_to_media_address=yes`

const trunks = (options: CarrierOptions) => `
[global]
type=global
endpoint_identifier_order=ip,username,auth_username
[loopback]
type=transport
protocol=${options.tls ? 'tls' : 'udp'}
bind=127.0.0.1:${options.sipPort}
${
  options.tls ? `cert_file=${options.tls.cert}\npriv_key_file=${options.tls.key}\nmethod=tlsv1_2\n` : ''
}[${options.user}]${endpoint(options)}
auth=${options.user}
identify_by=username,auth_username
aors=${options.user}
[${options.user}]
type=auth
auth_type=userpass
username=${options.user}
password=${options.password.replaceAll(';', '\\;')}
[${options.user}]
type=aor
max_contacts=1
remove_existing=yes
minimum_expiration=5
${
  options.customer === undefined
    ? ''
    : `[customer-by-address]${endpoint(options)}
aors=customer-by-address
[customer-by-address]
type=aor
contact=sip:${options.customer}
[customer-by-address]
type=identify
endpoint=customer-by-address
match=127.0.0.1`
}
`

/** Writes what the carrier's Asterisk needs; the path of its main file. */
export function configureCarrier(options: CarrierOptions, { modules: folder, data }: AsteriskProgram): string {
  const { directory, amiPort, mediaPort } = options
  for (const part of ['etc', 'run', 'log', 'lib', 'cache', 'spool/tmp', 'agi', 'received', 'log/cdr-csv'])
    mkdirSync(join(directory, part), { recursive: true })
  const own = Object.entries({
    etc: 'etc',
    varlib: 'lib',
    db: 'lib',
    key: 'lib',
    agi: 'agi',
    cache: 'cache',
    spool: 'spool',
    run: 'run',
    log: 'log',
  }).map(([name, part]) => `ast${name}dir => ${join(directory, part)}`)
  const files: Record<string, string> = {
    'asterisk.conf': `[directories]\n${own.join('\n')}\nastmoddir => ${folder}\nastdatadir => ${data}\n[options]\nnocolor=yes\nhideconnect=yes\nverbose=3\n`,
    'modules.conf': `[modules]\nautoload=no\n${[...modules, ...(options.tls ? ['res_srtp'] : [])].map((name) => `load=${name}.so`).join('\n')}\n`,
    'logger.conf': '[logfiles]\nfull => notice,warning,error,verbose\n',
    'pjsip.conf': trunks(options),
    'rtp.conf': `[general]\nrtpstart=${mediaPort}\nrtpend=${mediaPort + 399}\nicesupport=no\n`,
    'udptl.conf': `[general]\nudptlstart=${mediaPort + 400}\nudptlend=${mediaPort + 599}\nudptlfecentries=3\nudptlfecspan=3\n`,
    'res_fax.conf': '[general]\nminrate=2400\nmaxrate=14400\nmodems=v17,v27,v29\necm=yes\n',
    'extensions.conf': dialplan(options),
    'cdr.conf': '[general]\nenable=yes\nunanswered=yes\n[csv]\nusegmtime=yes\nloguniqueid=yes\n',
    'manager.conf': `[general]\nenabled=yes\nbindaddr=127.0.0.1\nport=${amiPort}\n[test]\nsecret=test\nread=all\nwrite=all\n`,
  }
  for (const name of ['acl', 'ccss', 'cel', 'features', 'indications', 'pjproject', 'stasis'])
    files[`${name}.conf`] = '[general]\n'
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, 'etc', name), text, { mode: 0o600 })
  return join(directory, 'etc/asterisk.conf')
}
