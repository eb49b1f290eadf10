import { type Check, hasValue, needsSettings, passwordIsOwn, sessionChecks, settingIsSet } from '@faxdeck/provider-kit'
import { globalOf, hasPresentHook, tryDialplanFolder, tryFolder } from './check-folder.ts'
import { openEsl } from './esl-session.ts'
import { shippedDialplan } from './received.ts'
import { shippedPassword } from './settings.ts'

const { signsIn, shows } = sessionChecks('freeswitch_esl_host', (settings, signal) => openEsl(settings, signal))

const hasModule = (name: string) =>
  shows(async (session, _settings, signal) => (await session.ask(`api module_exists ${name}`, signal)) === 'true')

const inFolder =
  (look: typeof tryFolder): Check['run'] =>
  (settings, host, signal) =>
    hasValue(settings, 'freeswitch_esl_host') ? look(settings, host.directory, signal) : needsSettings

export const freeswitchChecks: readonly Check[] = [
  settingIsSet('freeswitch_esl_host', {
    name: 'esl_host_set',
    hint: 'The ESL host is not set: name the machine that FreeSWITCH runs on.',
  }),
  passwordIsOwn('freeswitch_esl_password', shippedPassword, {
    name: 'esl_password_not_default',
    hint: 'The ESL password is the one FreeSWITCH ships with: change it in event_socket.conf.xml and here.',
  }),
  settingIsSet('freeswitch_gateway_name', {
    name: 'gateway_name_set',
    hint: 'The gateway that calls leave through is not set: write its name as "sofia status" lists it.',
  }),
  settingIsSet('freeswitch_caller_id_number', {
    name: 'caller_id_set',
    severity: 'warning',
    hint: 'The caller id number is not set, and many trunks refuse calls without one: write your fax number.',
  }),
  {
    name: 'esl_reachable',
    severity: 'critical',
    hint: 'FreeSWITCH cannot be used over its event socket: check host, port and password, and that its access list permits this machine.',
    setting: 'freeswitch_esl_host',
    run: signsIn,
  },
  {
    name: 'ends_remembered',
    severity: 'warning',
    hint: 'FreeSWITCH does not remember how calls ended, so a person has to decide about calls that end while Faxdeck is not connected: load mod_db.',
    setting: 'freeswitch_esl_host',
    run: hasModule('mod_db'),
  },
  {
    name: 'folder_usable',
    severity: 'critical',
    hint: 'FreeSWITCH cannot use the folder it shares with Faxdeck: let the user it runs as read lines/freeswitch/outbox and write lines/freeswitch/inbox, by the same path.',
    setting: 'freeswitch_esl_host',
    run: inFolder(tryFolder),
  },
  {
    name: 'dialplan_current',
    severity: 'warning',
    hint: 'FreeSWITCH has no faxdeck.xml, or an older one, which names callers wrongly over T.38 and forgets faxes while Faxdeck is down: copy the current one with your numbers, and run "reloadxml".',
    setting: 'freeswitch_esl_host',
    inbound: true,
    run: shows(async (session, _settings, signal) => {
      return (await globalOf(session, 'faxdeck_dialplan', signal)) === shippedDialplan
    }),
  },
  {
    name: 'dialplan_folder',
    severity: 'critical',
    hint: 'FreeSWITCH writes received faxes elsewhere: set faxdeck_dir in vars.xml to the shared folder and run "reloadxml"; no comment may set it, since FreeSWITCH obeys X-PRE-PROCESS there too.',
    setting: 'freeswitch_esl_host',
    inbound: true,
    run: inFolder(tryDialplanFolder),
  },
  {
    name: 'silence_playable',
    severity: 'critical',
    hint: 'FreeSWITCH cannot play the silence before a received fax, and ends the call: load mod_tone_stream.',
    setting: 'freeswitch_esl_host',
    inbound: true,
    run: hasModule('mod_tone_stream'),
  },
  {
    name: 'hook_current',
    severity: 'warning',
    hint: 'The result hook faxdeck_result.lua is from an older Faxdeck and does not report how far a call got: copy the current one, and restart FreeSWITCH.',
    setting: 'freeswitch_esl_host',
    run: shows((session, _settings, signal) => hasPresentHook(session, signal)),
  },
  {
    name: 'gateway_known',
    severity: 'warning',
    hint: 'FreeSWITCH does not know the gateway that calls leave through: compare its name with what "sofia status" lists.',
    setting: 'freeswitch_gateway_name',
    run: shows(async (session, settings, signal) => {
      const gateway = String(settings.freeswitch_gateway_name ?? '')
      if (!/^[\w.-]{1,64}$/.test(gateway)) return undefined
      return (await session.ask(`api sofia xmlstatus gateway ${gateway}`, signal)).includes('<gateway>')
    }),
  },
]
