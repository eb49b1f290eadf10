import {
  accountFinding,
  askProvider,
  basicAuthorization,
  callbackIsKnown,
  callbackSecretIsSet,
  type Check,
  type CheckedUse,
  type Finding,
  hasValue,
  type Host,
  needsSettings,
  type ProviderSettings,
  publicUrlIsHttps,
  settingIsSet,
  verdictOf,
  readFields,
} from '@faxdeck/provider-kit'

/** Callbacks are verified by the token, those about received faxes by a switch of their own. */
const verifiesCallbacks = (settings: ProviderSettings, { receiving }: CheckedUse) =>
  settings.phaxio_verify_signature === true || (receiving && settings.phaxio_inbound_verify_signature === true)

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
  publicUrlIsHttps('Phaxio', (settings) => settings.phaxio_document === 'link'),
  {
    name: 'auth',
    severity: 'critical',
    hint: 'Phaxio does not accept the API key and secret: copy both again from the Phaxio console, live with live or test with test.',
    setting: 'phaxio_api_key',
    run: signIn,
  },
  callbackSecretIsSet(
    'phaxio_callback_token',
    {
      name: 'callback_token_set',
      hint: 'Status callbacks of Phaxio are to be verified and are refused without the callback token, so Faxdeck polls for the outcome of sent faxes instead: copy the token from the Phaxio console, Callbacks.',
      receivingHint:
        'Faxes received through Phaxio are refused without the callback token: copy it from the Phaxio console, Callbacks.',
    },
    verifiesCallbacks,
  ),
  {
    name: 'signature_verification',
    severity: 'warning',
    inbound: true,
    hint: 'Faxes received through Phaxio are not verified, so anybody can put documents into the inbox: switch verification on and set the callback token.',
    setting: 'phaxio_inbound_verify_signature',
    run: (settings) => {
      if (settings.phaxio_inbound_verify_signature !== true) return { passed: false }
      // That the token is missing is said once, of all callbacks.
      return hasValue(settings, 'phaxio_callback_token') ? { passed: true } : needsSettings
    },
  },
]

/** A 2xx with `success: false` is a refusal too. */
function accepts(body: unknown): boolean | undefined {
  const success = readFields(body)?.value('success')
  return typeof success === 'boolean' ? success : undefined
}

async function signIn(settings: ProviderSettings, host: Host, signal: AbortSignal): Promise<Finding> {
  const { phaxio_api_key: key, phaxio_api_secret: secret } = settings
  if (!key || !secret) return needsSettings
  const authorization = basicAuthorization(String(key), String(secret))
  const url = `${String(settings.phaxio_base_url).replace(/\/+$/, '')}/account/status`
  const answered = await askProvider({ name: 'Phaxio', url, authorization }, host, signal)
  return accountFinding(verdictOf(answered, { name: 'Phaxio', accepts }), 'Phaxio', 'phaxio_base_url')
}
