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
import { type EslSession, EslSilence, openEsl } from './esl-session.ts'
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
  {
    name: 'ends_remembered',
    severity: 'warning',
    hint: 'FreeSWITCH does not remember how calls ended, so that what ends while Faxdeck does not listen has to be decided by a person: load mod_db.',
    setting: 'freeswitch_esl_host',
    run: lookForMemory,
  },
  {
    name: 'gateway_known',
    severity: 'warning',
    hint: 'FreeSWITCH does not know the gateway that calls leave through: compare its name with what "sofia status" lists.',
    setting: 'freeswitch_gateway_name',
    run: lookForGateway,
  },
]

/** Signs in, and looks further. */
async function withSession(
  settings: ProviderSettings,
  signal: AbortSignal,
  look: (session: EslSession) => Promise<Finding>,
): Promise<Finding> {
  let session: EslSession | undefined
  try {
    session = await openEsl(settings, signal)
    return await look(session)
  } catch (error) {
    if (error instanceof ProviderProblem || error instanceof EslSilence) return { passed: false, detail: error.message }
    throw error
  } finally {
    session?.end()
  }
}

async function logIn(settings: ProviderSettings, _host: Host, signal: AbortSignal): Promise<Finding> {
  if (!hasValue(settings, 'freeswitch_esl_host')) return { passed: false, untried: true }
  return withSession(settings, signal, async () => ({ passed: true }))
}

/** Asks beside the sign-in: that nobody could sign in is what the other check says. */
async function lookBeside(
  settings: ProviderSettings,
  signal: AbortSignal,
  look: (session: EslSession) => Promise<Finding>,
): Promise<Finding> {
  if (!hasValue(settings, 'freeswitch_esl_host')) return { passed: false, untried: true }
  const found = await withSession(settings, signal, look)
  return found.detail === undefined ? found : { passed: false, untried: true }
}

async function lookForMemory(settings: ProviderSettings, _host: Host, signal: AbortSignal): Promise<Finding> {
  return lookBeside(settings, signal, async (session) => ({
    passed: (await session.ask('api module_exists mod_db', signal)) === 'true',
  }))
}

async function lookForGateway(settings: ProviderSettings, _host: Host, signal: AbortSignal): Promise<Finding> {
  const gateway = String(settings.freeswitch_gateway_name ?? '')
  if (!/^[\w.-]{1,64}$/.test(gateway)) return { passed: false, untried: true }
  return lookBeside(settings, signal, async (session) => {
    const answer = await session.ask(`api sofia xmlstatus gateway ${gateway}`, signal)
    return { passed: answer.includes('<gateway>') }
  })
}
