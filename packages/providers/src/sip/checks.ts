import {
  type Check,
  type Finding,
  hasValue,
  type Host,
  passwordIsOwn,
  ProviderProblem,
  type ProviderSettings,
  settingIsSet,
} from '@faxdeck/provider-kit'
import { type AmiSession, AmiSilence, openAmi } from './ami-session.ts'
import { shippedPassword } from './settings.ts'

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
  {
    name: 'ami_may_dial',
    severity: 'critical',
    hint: 'The AMI user may not place calls: give its section in manager.conf "write = originate,call" and reload the manager.',
    setting: 'ami_username',
    run: tryToDial,
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

/** Signs in, and looks further. */
async function withSession(
  settings: ProviderSettings,
  signal: AbortSignal,
  look: (session: AmiSession) => Promise<Finding>,
): Promise<Finding> {
  let session: AmiSession | undefined
  try {
    session = await openAmi(settings, signal)
    return await look(session)
  } catch (error) {
    if (error instanceof ProviderProblem || error instanceof AmiSilence) return { passed: false, detail: error.message }
    throw error
  } finally {
    session?.end()
  }
}

async function logIn(settings: ProviderSettings, _host: Host, signal: AbortSignal): Promise<Finding> {
  if (!hasValue(settings, 'ami_host')) return { passed: false, untried: true }
  return withSession(settings, signal, async () => ({ passed: true }))
}

/** A call without a channel is refused in any case; whether for want of the right or of the channel is what counts. */
async function tryToDial(settings: ProviderSettings, _host: Host, signal: AbortSignal): Promise<Finding> {
  if (!hasValue(settings, 'ami_host')) return { passed: false, untried: true }
  const found = await withSession(settings, signal, async (session) => {
    const answer = await session.ask('Originate', [], signal)
    return { passed: !/permission/i.test(answer.get('message') ?? '') }
  })
  // That nobody could sign in is what the other check says.
  return found.detail === undefined ? found : { passed: false, untried: true }
}
