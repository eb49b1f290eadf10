import { createHmac, hash } from 'node:crypto'
import { byName } from './by-name.ts'
import { equalInConstantTime } from './constant-time.ts'
import type { WebhookRequest } from './provider.ts'

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
  const files = byName(request.files.map(({ name, bytes }) => [name, sha1(bytes)] as const)).map(
    ([name, hash]) => name + hash,
  )
  const signed = [request.url, ...fields, ...files].join('')
  return equalInConstantTime(given, createHmac('sha1', token).update(signed).digest('hex'))
}

function sha1(bytes: Uint8Array): string {
  return hash('sha1', bytes)
}
