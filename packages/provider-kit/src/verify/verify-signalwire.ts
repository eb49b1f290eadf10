import { createHash, createHmac } from 'node:crypto'
import { equalInConstantTime } from './signatures.ts'
import type { WebhookHead, WebhookRequest } from '../provider.ts'
import { verifyTwilio } from './verify-twilio.ts'

const headers = ['x-signalwire-signature', 'x-twilio-signature']

/**
 * Checks a request of SignalWire by either of its two schemes, under the project's signing key: for forms the one of
 * `verifyTwilio`, for all else the hex HMAC-SHA1, or HMAC-SHA256 in a header of its own, of the URL and the body.
 * A JSON body may also be vouched for by the `bodySHA256` of a URL that is signed like that of a form.
 * @returns false also without a key or without a signature
 */
export function verifySignalwire(request: WebhookRequest, key: string | null): boolean {
  if (!key) return false
  const whole = (algorithm: string) => createHmac(algorithm, key).update(request.url).update(request.body).digest('hex')
  const signed = (name: string, algorithm: string) =>
    equalInConstantTime(request.headers[name]?.toLowerCase() ?? '', whole(algorithm))
  const verdicts = [
    ...headers.map((name) => fieldsAreAll(request) && verifyTwilio(request, name, key)),
    ...headers.map((name) => signed(name, 'sha1')),
    signed('x-signalwire-sha256-signature', 'sha256'),
  ]
  return verdicts.includes(true)
}

/** Whether what a form's signature covers is the whole request: otherwise one signed URL would vouch for any body. */
function fieldsAreAll({ headers: given, body, query }: WebhookRequest): boolean {
  if (body.length === 0) return true
  if (/^application\/x-www-form-urlencoded\b/i.test(given['content-type'] ?? '')) return true
  const claimed = query.bodySHA256
  return claimed !== undefined && equalInConstantTime(claimed, createHash('sha256').update(body).digest('hex'))
}

const proofHeaders = [...headers, 'x-signalwire-sha256-signature']
/** An HMAC-SHA1 in base64 or hex, or an HMAC-SHA256 in hex. */
const signatureShape = /^([A-Za-z0-9+/]{27}=|[0-9a-f]{40}|[0-9a-f]{64})$/i

/** Whether the head brings what could be a signature of SignalWire, in either of its schemes. */
export function mayVerifySignalwire({ headers: given }: WebhookHead, key: string | null): boolean {
  return Boolean(key) && proofHeaders.some((name) => signatureShape.test(given[name] ?? ''))
}
