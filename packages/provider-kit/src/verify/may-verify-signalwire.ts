import type { WebhookHead } from '../provider.ts'

const headers = ['x-signalwire-signature', 'x-twilio-signature', 'x-signalwire-sha256-signature']
/** An HMAC-SHA1 in base64 or hex, or an HMAC-SHA256 in hex. */
const signatureShape = /^([A-Za-z0-9+/]{27}=|[0-9a-f]{40}|[0-9a-f]{64})$/i

/** Whether the head brings what could be a signature of SignalWire, in either of its schemes. */
export function mayVerifySignalwire({ headers: given }: WebhookHead, key: string | null): boolean {
  return Boolean(key) && headers.some((name) => signatureShape.test(given[name] ?? ''))
}
