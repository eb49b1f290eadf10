import type { WebhookMessage } from './messages.ts'
import { FaxdeckError } from './problems.ts'

/** The message is not from your gateway, or is too old. Answer it with 400 and do nothing else. */
export class WebhookVerificationError extends FaxdeckError {
  override name = 'WebhookVerificationError'
}

/** Headers as `fetch` has them, or as Node's `request.headers` has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

export interface WebhookVerification {
  /** The body as it arrived, before it is parsed: another spelling of the same JSON has another signature. */
  body: string | Uint8Array
  headers: WebhookHeaders
  /** `whsec_…`. Several while you change it. */
  secret: string | readonly string[]
  /** Seconds that the message may be older or newer than this machine's clock; 300 when it is not given. */
  tolerance?: number
}

const prefix = 'whsec_'
const usualTolerance = 300
const encoder = new TextEncoder()

function headerOf(headers: WebhookHeaders, name: string): string {
  const given =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  const value = Array.isArray(given) ? given[0] : given
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`)
  return value
}

/** Bytes of Base64; undefined when it is not. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** A key of the platform: the type has no name that both Node and browsers know. */
type Key = Parameters<typeof crypto.subtle.verify>[1]

async function keyOf(secret: string): Promise<Key> {
  const bytes = secret.startsWith(prefix) ? decode(secret.slice(prefix.length)) : undefined
  if (!bytes || bytes.length === 0) throw new FaxdeckError('A webhook secret is whsec_ followed by Base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/**
 * Checks that a message comes from your gateway and is recent, and reads it. The same message may come twice: ignore a
 * `webhook-id` that you have processed. Source: Standard Webhooks 1.0.0. Signatures are compared in constant time, by
 * the platform's `crypto.subtle`.
 * @throws {WebhookVerificationError} when it is not to be believed
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  tolerance = usualTolerance,
}: WebhookVerification): Promise<WebhookMessage> {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string]
  const age = Date.now() / 1000 - Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > tolerance)
    throw new WebhookVerificationError(
      `The message is more than ${tolerance} s older or newer than the clock of this machine.`,
    )
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const head = encoder.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  const signatures = given
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .flatMap((each) => decode(each.slice('v1,'.length)) ?? [])
  const keys = await Promise.all([secret].flat().map(keyOf))
  const checks = keys.flatMap((key) => signatures.map((each) => crypto.subtle.verify('HMAC', key, each, signed)))
  if (!(await Promise.all(checks)).includes(true))
    throw new WebhookVerificationError('The signature does not match the secret.')
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as WebhookMessage
}
