import { type Check, passwordIsOwn, sessionChecks, settingIsSet } from '@faxdeck/provider-kit'
import { openEsl } from './esl-session.ts'
import { shippedPassword } from './settings.ts'

const { signsIn, shows } = sessionChecks('freeswitch_esl_host', (settings, signal) => openEsl(settings, signal))

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
    hint: 'FreeSWITCH does not remember how calls ended, so that what ends while Faxdeck does not listen has to be decided by a person: load mod_db.',
    setting: 'freeswitch_esl_host',
    run: shows(async (session, _settings, signal) => {
      return (await session.ask('api module_exists mod_db', signal)) === 'true'
    }),
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
