import {
  acceptedBy,
  askProvider,
  type Check,
  type Finding,
  type Host,
  type ProviderSettings,
  settingIsSet,
} from '@faxdeck/provider-kit'

import { accountOf, name } from './account.ts'

export const documoChecks: readonly Check[] = [
  settingIsSet('documo_api_key', {
    name: 'api_key_set',
    hint: 'The Documo API key is not set: copy it from the Documo console, Settings, API.',
  }),
  settingIsSet('documo_webhook_password', {
    name: 'webhook_password_set',
    severity: 'warning',
    hint: 'Webhooks of Documo are refused until a user and a password are set: switch basic authentication on for the webhook in the Documo console, and write both here.',
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
  if (!settings.documo_api_key) return { passed: false, untried: true }
  const { origin, paths, authorization } = accountOf(settings)
  return acceptedBy(name, await askProvider({ name, url: origin + paths.account, authorization }, host, signal))
}
