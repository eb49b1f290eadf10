import {
  acceptedBy,
  askProvider,
  basicAuthorization,
  callbackIsKnown,
  type Check,
  fieldOf,
  type Finding,
  hasValue,
  type Host,
  type ProviderSettings,
  publicUrlIsHttps,
  settingIsSet,
} from '@faxdeck/provider-kit'

const withoutToken = {
  hint: 'Faxes received through Phaxio are refused without the callback token: copy it from the Phaxio console, Callbacks.',
  setting: 'phaxio_callback_token',
}

export const phaxioChecks: readonly Check[] = [
  settingIsSet('phaxio_api_key', {
    name: 'api_key_set',
    hint: 'The Phaxio API key is not set: copy it from the Phaxio console, API Credentials.',
  }),
  settingIsSet('phaxio_api_secret', {
    name: 'api_secret_set',
    hint: 'The Phaxio API secret is not set: copy it from the Phaxio console, beside the API key.',
  }),
  callbackIsKnown('phaxio_status_callback_url', 'Phaxio'),
  publicUrlIsHttps('Phaxio'),
  {
    name: 'auth',
    severity: 'critical',
    hint: 'Phaxio does not accept the API key and secret: copy both again from the Phaxio console, live with live or test with test.',
    setting: 'phaxio_api_key',
    run: signIn,
  },
  {
    name: 'signature_verification',
    severity: 'warning',
    inbound: true,
    hint: 'Faxes received through Phaxio are not verified, so anybody can put documents into the inbox: switch verification on and set the callback token.',
    setting: 'phaxio_inbound_verify_signature',
    run: (settings) => {
      if (settings.phaxio_inbound_verify_signature !== true) return { passed: false }
      return hasValue(settings, 'phaxio_callback_token') ? { passed: true } : { passed: false, instead: withoutToken }
    },
  },
]

/** A 2xx with `success: false` is a refusal too. */
async function signIn(settings: ProviderSettings, host: Host, signal: AbortSignal): Promise<Finding> {
  const { phaxio_api_key: key, phaxio_api_secret: secret } = settings
  if (!key || !secret) return { passed: false, untried: true }
  const authorization = basicAuthorization(String(key), String(secret))
  const url = `${String(settings.phaxio_base_url).replace(/\/+$/, '')}/account/status`
  const answered = await askProvider({ name: 'Phaxio', url, authorization }, host, signal)
  const finding = acceptedBy('Phaxio', answered)
  if (!finding.passed || fieldOf(answered, 'success') === true) return finding
  return { passed: false, detail: 'Phaxio answered that the account cannot be used.' }
}
