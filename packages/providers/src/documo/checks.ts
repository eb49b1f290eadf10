import {
  accountFinding,
  anyObject,
  askProvider,
  callbackSecretIsSet,
  type Check,
  type Finding,
  type Host,
  needsSettings,
  type ProviderSettings,
  settingIsSet,
  verdictOf,
} from '@faxdeck/provider-kit'

import { accountOf, name } from './account.ts'

export const documoChecks: readonly Check[] = [
  settingIsSet('documo_api_key', {
    name: 'api_key_set',
    hint: 'The Documo API key is not set: copy it from the Documo console, Settings, API.',
  }),
  callbackSecretIsSet('documo_webhook_password', {
    name: 'webhook_password_set',
    hint: 'Callbacks of Documo are refused until a user and a password are set, so Faxdeck polls for the outcome of sent faxes instead: switch basic authentication on for the webhook in the Documo console, and write both here.',
    receivingHint:
      'Faxes received through Documo are refused until a user and a password are set: switch basic authentication on for the webhook in the Documo console, and write both here.',
  }),
  {
    name: 'auth',
    severity: 'critical',
    hint: 'Documo does not accept the API key: paste it as it is shown, and mind that the sandbox has keys of its own.',
    setting: 'documo_api_key',
    run: signIn,
  },
]

async function signIn(settings: ProviderSettings, host: Host, signal: AbortSignal): Promise<Finding> {
  if (!settings.documo_api_key) return needsSettings
  const { origin, paths, authorization } = accountOf(settings)
  const answered = await askProvider({ name, url: origin + paths.account, authorization }, host, signal)
  return accountFinding(verdictOf(answered, { name, accepts: anyObject }), name, 'documo_base_url')
}
