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

const actionId = 'faxdeck-check'

export const sipChecks: readonly Check[] = [
  settingIsSet('ami_host', {
    name: 'ami_host_set',
    hint: 'The AMI host is not set: name the machine that Asterisk runs on.',
  }),
  passwordIsOwn('ami_password', shippedPassword, {
    name: 'ami_password_not_default',
    hint: 'The AMI password is the default one that anybody can read: change it in manager.conf and here.',
  }),
  {
    name: 'ami_reachable',
    severity: 'critical',
    hint: 'Asterisk cannot be used over AMI: check host, port, user and password, and that manager.conf permits this machine.',
    setting: 'ami_host',
    run: logIn,
  },
  settingIsSet('fax_station_id', {
    name: 'station_id_set',
    severity: 'warning',
    hint: 'The station id is not set, so called machines see no number: write your fax number in E.164 form.',
  }),
  {
    ...settingIsSet('asterisk_inbound_secret', {
      name: 'asterisk_secret_set',
      hint: 'Asterisk cannot hand over received faxes without the internal secret: generate one, and put it into the dialplan.',
    }),
    inbound: true,
  },
]

async function logIn(settings: ProviderSettings, _host: Host, signal: AbortSignal): Promise<Finding> {
  if (!hasValue(settings, 'ami_host')) return { passed: false, untried: true }
  const user = String(settings.ami_username ?? '')
  const secret = String(settings.ami_password ?? '')
  // A line break would begin a header of its own.
  if (/[\r\n]/.test(user + secret)) return { passed: false, detail: 'The AMI user or password holds a line break.' }
  const to = { host: String(settings.ami_host), port: Number(settings.ami_port) }
  try {
    return await talk(to, signal, (dialogue) => greet(dialogue, user, secret))
  } catch (error) {
    if (error instanceof DialogueBroken) return { passed: false, detail: error.message }
    throw error
  }
}

/** Banner, login, and the response to it among whatever events come in between. */
async function greet({ readUntil, say }: Dialogue, user: string, secret: string): Promise<Finding> {
  const banner = await readUntil('\n')
  if (!banner.startsWith('Asterisk Call Manager/')) {
    return { passed: false, detail: 'What answers there is not the manager interface of Asterisk.' }
  }
  const login = ['Action: Login', `ActionID: ${actionId}`, `Username: ${user}`, `Secret: ${secret}`, 'Events: off']
  say(`${login.join('\r\n')}\r\n\r\n`)
  let message = await readUntil('\r\n\r\n')
  while (!message.includes(`ActionID: ${actionId}`)) message = await readUntil('\r\n\r\n')
  if (/^Response: Success\r?$/m.test(message)) return { passed: true }
  return { passed: false, detail: 'Asterisk refused the AMI user or password.' }
}
