import { equalInConstantTime } from './constant-time.ts'
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
