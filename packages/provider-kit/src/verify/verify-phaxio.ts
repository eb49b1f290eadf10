import { createHmac, hash } from 'node:crypto'
import { byName, equalInConstantTime } from './signatures.ts'
import type { WebhookHead, WebhookRequest } from '../provider.ts'

/**
 * Checks the header `X-Phaxio-Signature` as Phaxio computes it (API v2.1, "Verifying callback requests"): the hex HMAC-SHA1,
 * keyed with the account's callback token, of the URL, then every field as name and value in order of names,
 * then every file as part name and hex SHA-1 of its bytes in order of names.
 * @returns false also without a token or without the header
 */
export function verifyPhaxio(request: WebhookRequest, token: string | null): boolean {
  const given = request.headers['x-phaxio-signature']
  if (!token || !given) return false
  const fields = byName(request.fields).map(([name, value]) => name + value)
  const files = byName(request.files.map((file) => [file.name, file.sha1 ?? hash('sha1', file.bytes)] as const)).map(
    ([name, sha1]) => name + sha1,
  )
  const signed = [request.url, ...fields, ...files].join('')
  return equalInConstantTime(given, createHmac('sha1', token).update(signed).digest('hex'))
}

/** Whether the head brings what could be a signature of Phaxio: 40 hex digits. */
export function mayVerifyPhaxio({ headers }: WebhookHead, token: string | null): boolean {
  return Boolean(token) && /^[0-9a-f]{40}$/i.test(headers['x-phaxio-signature'] ?? '')
}
