import {
  type Check,
  type Dialogue,
  DialogueBroken,
  type Finding,
  hasValue,
  type Host,
  passwordIsOwn,
  type ProviderSettings,
  settingIsSet,
  talk,
} from '@faxdeck/provider-kit'
import { shippedPassword } from './settings.ts'

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
    run: logIn,
  },
]

async function logIn(settings: ProviderSettings, _host: Host, signal: AbortSignal): Promise<Finding> {
  if (!hasValue(settings, 'freeswitch_esl_host')) return { passed: false, untried: true }
  const password = String(settings.freeswitch_esl_password ?? '')
  // A line break would begin a command of its own.
  if (/[\r\n]/.test(password)) return { passed: false, detail: 'The ESL password holds a line break.' }
  const to = { host: String(settings.freeswitch_esl_host), port: Number(settings.freeswitch_esl_port) }
  try {
    return await talk(to, signal, (dialogue) => greet(dialogue, password))
  } catch (error) {
    if (error instanceof DialogueBroken) return { passed: false, detail: error.message }
    throw error
  }
}

/** FreeSWITCH speaks first; headers end with an empty line. */
async function greet({ readUntil, say }: Dialogue, password: string): Promise<Finding> {
  const request = await readUntil('\n\n')
  if (request.includes('text/rude-rejection')) {
    return { passed: false, detail: 'FreeSWITCH turned this machine away: its access list does not permit it.' }
  }
  if (!request.includes('Content-Type: auth/request')) {
    return { passed: false, detail: 'What answers there is not the event socket of FreeSWITCH.' }
  }
  say(`auth ${password}\n\n`)
  const reply = await readUntil('\n\n')
  if (/^Reply-Text: \+OK/m.test(reply)) return { passed: true }
  return { passed: false, detail: 'FreeSWITCH refused the ESL password.' }
}
