import { equalInConstantTime } from './signatures.ts'
import type { WebhookHead } from '../provider.ts'

/**
 * Checks a secret that stands in a header as it is.
 * @param header name of the header, for example `X-Internal-Secret`
 * @returns false also when no secret is expected, or none is given
 */
export function verifySecret(request: WebhookHead, header: string, secret: string | null): boolean {
  const given = request.headers[header.toLowerCase()]
  return Boolean(secret && given) && equalInConstantTime(given ?? '', secret ?? '')
}

/**
 * Checks the user and the password of HTTP Basic authentication (RFC 7617).
 * @returns false also when no user or no password is expected, or none is given
 */
export function verifyBasic(request: WebhookHead, user: string | null, password: string | null): boolean {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!user || !password || encoded === undefined) return false
  return equalInConstantTime(Buffer.from(encoded, 'base64').toString('utf8'), `${user}:${password}`)
}
