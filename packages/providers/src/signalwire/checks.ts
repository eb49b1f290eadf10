import {
  accountFinding,
  askProvider,
  callbackIsKnown,
  callbackSecretIsSet,
  type Check,
  type Finding,
  type Host,
  needsSettings,
  type ProviderSettings,
  publicUrlIsHttps,
  settingIsSet,
  verdictOf,
  readFields,
} from '@faxdeck/provider-kit'

import { accountOf, name, projectUrl } from './account.ts'

export const signalwireChecks: readonly Check[] = [
  settingIsSet('signalwire_space_url', {
    name: 'space_url_set',
    hint: 'The SignalWire space is not set: write the host name of your dashboard, for example example.signalwire.com.',
  }),
  settingIsSet('signalwire_project_id', {
    name: 'project_id_set',
    hint: 'The SignalWire project id is not set: copy it from the dashboard, API Credentials.',
  }),
  settingIsSet('signalwire_api_token', {
    name: 'api_token_set',
    hint: 'The SignalWire API token is not set: make one with the Fax scope in the dashboard, API Credentials.',
  }),
  settingIsSet('signalwire_fax_from_e164', {
    name: 'from_fax_set',
    hint: 'The number to fax from is not set: write a number of the SignalWire project that can fax, in E.164 form.',
  }),
  callbackIsKnown('signalwire_status_callback_url', 'SignalWire'),
  publicUrlIsHttps('SignalWire', () => true),
  callbackSecretIsSet('signalwire_webhook_signing_key', {
    name: 'signing_key_set',
    hint: 'Callbacks of SignalWire are refused without the signing key, so Faxdeck polls for the outcome of sent faxes instead: copy it from the dashboard, API Credentials.',
    receivingHint:
      'Faxes received through SignalWire are refused without the signing key: copy it from the dashboard, API Credentials.',
  }),
  {
    name: 'auth',
    severity: 'critical',
    hint: 'SignalWire does not accept the project id and API token: check both, and that they belong to this space.',
    setting: 'signalwire_api_token',
    run: signIn,
  },
]

async function signIn(settings: ProviderSettings, host: Host, signal: AbortSignal): Promise<Finding> {
  const { signalwire_space_url: space, signalwire_project_id: project, signalwire_api_token: token } = settings
  if (!space || !project || !token) return needsSettings
  const account = accountOf(settings)
  const { authorization } = account
  const answered = await askProvider({ name, url: projectUrl(account), authorization }, host, signal)
  // A project that is not of this space is not found.
  const verdict = verdictOf(answered, { name, accepts: isProject, refusals: [404] })
  return accountFinding(verdict, name, settings.signalwire_base_url ? 'signalwire_base_url' : 'signalwire_space_url')
}

const isProject = (body: unknown) => (readFields(body)?.text('sid') ? true : undefined)
