import { verifySignalwire, type ProviderSettings, type WebhookRequest } from '@faxdeck/provider-kit'

/** The request as SignalWire signed it, when the status callback stands at an address of its own. */
function atOwnAddress(request: WebhookRequest, own: string): WebhookRequest {
  const { search } = new URL(request.url)
  return { ...request, url: own.replace(/\?.*/, '') + search }
}

/** Whether SignalWire signed the request for the public address, or for the status callback URL that is set. */
export function verify(request: WebhookRequest, settings: ProviderSettings): boolean {
  const { signalwire_webhook_signing_key: key, signalwire_status_callback_url: own } = settings
  if (typeof key !== 'string') return false
  const requests = typeof own === 'string' && own !== '' ? [request, atOwnAddress(request, own)] : [request]
  return requests.map((each) => verifySignalwire(each, key)).includes(true)
}
