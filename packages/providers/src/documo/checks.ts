import {
  acceptedBy,
  askProvider,
  type Check,
  type Finding,
  type Host,
  type ProviderSettings,
  settingIsSet,
} from '@faxdeck/provider-kit'

const sandbox = 'https://api.sandbox.documo.com'

export const documoChecks: readonly Check[] = [
  settingIsSet('documo_api_key', {
    name: 'api_key_set',
    hint: 'The Documo API key is not set: copy it from the Documo console, Settings, API.',
  }),
  {
    name: 'auth',
    severity: 'critical',
    hint: 'Documo does not accept the API key: paste it as it is shown, and mind that the sandbox has keys of its own.',
    setting: 'documo_api_key',
    run: signIn,
  },
]

/** Documo takes the key as it is after the word Basic, unlike RFC 7617. */
async function signIn(settings: ProviderSettings, host: Host, signal: AbortSignal): Promise<Finding> {
  const { documo_api_key: key, documo_use_sandbox: inSandbox, documo_base_url: base } = settings
  if (!key) return { passed: false, untried: true }
  const url = `${(inSandbox === true ? sandbox : String(base)).replace(/\/+$/, '')}/v1/me`
  return acceptedBy('Documo', await askProvider({ name: 'Documo', url, authorization: `Basic ${key}` }, host, signal))
}
